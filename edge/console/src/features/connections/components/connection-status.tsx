import { CircleCheck, CircleDashed, CircleOff, Gauge, KeyRound, type LucideIcon, Timer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { type Connection } from '../queries/connections.ts';

type Tone = 'good' | 'neutral' | 'warn' | 'bad';

const LOOKS: Readonly<Record<Connection['status'], { tone: Tone; icon: LucideIcon }>> = {
  active: { tone: 'good', icon: CircleCheck },
  configured: { tone: 'warn', icon: KeyRound },
  disabled: { tone: 'neutral', icon: CircleOff },
  expired: { tone: 'bad', icon: KeyRound },
  cooldown: { tone: 'warn', icon: Timer },
  rate_limited: { tone: 'warn', icon: Gauge },
};
const UNTRIED = { tone: 'neutral', icon: CircleDashed } as const;

/** The status of a connection in a word. */
export function ConnectionStatus({ connection: { status, health } }: { connection: Pick<Connection, 'status' | 'health'> }) {
  const { t } = useTranslation('connections');
  const isUntried = status === 'active' && health === 'unknown';
  const { tone, icon: Icon } = isUntried ? UNTRIED : LOOKS[status];
  return (
    <Badge tone={tone}>
      <Icon className="size-3.5" aria-hidden />
      {isUntried ? t('untried') : t(`status.${status}`)}
    </Badge>
  );
}
