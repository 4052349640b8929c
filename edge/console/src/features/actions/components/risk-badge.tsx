import { useTranslation } from 'react-i18next';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { type Action } from '../queries/catalog.ts';

const TONES: Readonly<Record<Action['risk'], Tone>> = { read: 'good', write: 'warn', irreversible: 'bad' };

/** What an action or a step may do to other systems. */
export function RiskBadge({ risk }: { risk: Action['risk'] }) {
  const { t } = useTranslation('actions');
  return <Badge tone={TONES[risk]}>{t(`risks.${risk}`)}</Badge>;
}
