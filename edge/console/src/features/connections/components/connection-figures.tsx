import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type ConnectionUsage } from '../queries/connection-usage.ts';
import { type Connection } from '../queries/connections.ts';

interface ConnectionFiguresProps {
  connection: Connection;
  /** Undefined for who may not read it, or for a day without requests. */
  usage: ConnectionUsage | undefined;
  /** Undefined for who may not read it. */
  inFlight: number | undefined;
}

/** What a connection did lately, in a few numbers. */
export function ConnectionFigures({ connection, usage, inFlight }: ConnectionFiguresProps) {
  const { t } = useTranslation('connections');
  const format = useFormatter();
  const { last_used_at: lastUsedAt, max_concurrency: most } = connection;
  const worst = usage?.errors_by_code[0];
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-3 gap-y-2 text-sm [&_dd]:font-medium [&_dd]:tabular-nums [&_dt]:text-xs [&_dt]:text-muted">
      {inFlight !== undefined && (
        <div>
          <dt>{t('figures.inFlight')}</dt>
          <dd>{most ? t('figures.ofMost', { count: inFlight, most: format.number(most) }) : format.number(inFlight)}</dd>
        </div>
      )}
      {usage && (
        <>
          <div>
            <dt>{t('figures.requests')}</dt>
            <dd>{format.compact(usage.requests)}</dd>
          </div>
          <div>
            <dt>{t('figures.errors')}</dt>
            <dd className={usage.errors > 0 ? 'text-bad' : ''}>
              {format.compact(usage.errors)}
              {worst && <span className="block truncate text-xs font-normal text-muted">{worst.code}</span>}
            </dd>
          </div>
          {usage.first_token.count > 0 && (
            <div>
              <dt>{t('figures.firstToken')}</dt>
              <dd>{format.milliseconds(usage.first_token.p50_ms)}</dd>
            </div>
          )}
        </>
      )}
      <div>
        <dt>{t('figures.lastUsed')}</dt>
        <dd>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t('never')}</dd>
      </div>
    </dl>
  );
}
