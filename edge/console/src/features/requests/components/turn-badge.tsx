import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { type TurnStatus } from '../turn-filter-choices.ts';

const TONES: Record<TurnStatus, Tone> = { streaming: 'accent', completed: 'good', failed: 'bad', interrupted: 'warn' };

/** How a turn stands. */
export function TurnBadge({ status }: { status: TurnStatus }) {
  const { t } = useTranslation('requests');
  return <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>;
}
