import { LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { type Run } from '../queries/runs.ts';
import { isRunInProgress, STATUS_TONES } from './run-statuses.ts';

/** The status of a run. */
export function RunBadge({ status }: Pick<Run, 'status'>) {
  const { t } = useTranslation('actions');
  return (
    <Badge tone={STATUS_TONES[status]}>
      {isRunInProgress(status) && <LoaderCircle className="size-3 animate-spin" aria-hidden />}
      {t(`statuses.${status}`)}
    </Badge>
  );
}
