import { useTranslation } from 'react-i18next';
import { type Connection } from '../queries/connections.ts';
import { Cooldown } from './cooldown.tsx';
import { type GatewayTextTranslations, translateGatewayText } from './translate-gateway-text.ts';

/** Why a connection takes no turns, for how long still, and what to do; nothing for one that takes them. */
export function ConnectionTrouble({ connection, readAt }: { connection: Connection; readAt: number }) {
  const { t } = useTranslation('connections');
  const { status, health, reason, cooldown_seconds: seconds, resting_models: resting = [] } = connection;
  const words = t('reasons', { returnObjects: true }) as GatewayTextTranslations;
  if (status === 'active') {
    if (resting.length > 0)
      return <p className="text-sm text-warn">{t('resting', { models: resting.join(', '), count: resting.length })}</p>;
    return health === 'unknown' ? <p className="text-sm text-muted">{t('advice.unknown')}</p> : null;
  }
  return (
    <div className="flex flex-col gap-0.5 text-sm">
      {reason && <p>{translateGatewayText(words, reason)}</p>}
      {seconds !== undefined && <Cooldown seconds={seconds} readAt={readAt} />}
      <p className="text-muted">{t(`advice.${health === 'unhealthy' && status === 'cooldown' ? 'unhealthy' : status}`)}</p>
    </div>
  );
}
