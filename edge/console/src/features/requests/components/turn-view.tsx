import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { type Turn } from '../queries/turns.ts';
import { TurnBadge } from './turn-badge.tsx';
import { FailureLink, WaterfallView } from './waterfall-view.tsx';

/** The whole way of a turn: what it was, where its time went, who was asked, and how it ended. */
export function TurnView({ turn, keyName }: { turn: Turn; keyName: string | undefined }) {
  const { t } = useTranslation('requests');
  return (
    <div className="flex flex-col gap-4">
      {turn.error && (
        <div role="note" aria-label={t('error')} className="flex flex-col gap-1 rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm">
          <p className="font-medium break-words">{turn.error.message}</p>
          <p className="flex flex-wrap gap-x-2">
            <FailureLink code={turn.error.code} />
            <span className="text-muted">{t('errorHint')}</span>
          </p>
        </div>
      )}
      <Card title={t('facts')}>
        <Facts turn={turn} keyName={keyName} />
      </Card>
      <Card title={t('waterfall')}>
        <WaterfallView turn={turn} />
      </Card>
      <Card title={t('attempts')}>
        <Attempts turn={turn} />
      </Card>
      <Card title={t('moments')}>
        <ol className="flex flex-col gap-1 text-sm">
          {turn.timeline.map((moment, place) => (
            <Moment key={place} {...moment} />
          ))}
        </ol>
      </Card>
    </div>
  );
}

function Facts({ turn, keyName }: { turn: Turn; keyName: string | undefined }) {
  const { t } = useTranslation('requests');
  const format = useFormatter();
  const facts: [name: string, value: ReactNode][] = [
    ['columns.status', <TurnBadge key="status" status={turn.status} />],
    ['columns.started', format.dateTime(turn.started_at)],
    ['columns.took', turn.duration_ms === null ? t('stillStreaming') : format.milliseconds(turn.duration_ms)],
    ['columns.firstToken', turn.times.first_token_ms === null ? '–' : format.milliseconds(turn.times.first_token_ms)],
    ['columns.model', turn.model || '–'],
    ['columns.connection', connectionText(turn.connection)],
    ['columns.key', keyName ?? turn.key_id],
    ['columns.tokens', t('inOut', { in: format.number(turn.tokens_in), out: format.number(turn.tokens_out) })],
    ['finish', turn.finish_reason ?? '–'],
    ['requestId', <Id key="request" id={turn.request_id} what={t('requestId')} />],
    ['turnId', <Id key="turn" id={turn.turn_id} what={t('turnId')} />],
    ['conversation', <Id key="conversation" id={turn.conversation_id} what={t('conversation')} />],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2 xl:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-col">
          <dt className="text-muted">{t(name)}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Id({ id, what }: { id: string; what: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="min-w-0 text-xs break-all">{id}</code>
      <CopyButton text={id} what={what} />
    </span>
  );
}

/** Which connections were asked, and why the first one was. */
function Attempts({ turn: { attempts, route_explanation } }: { turn: Turn }) {
  const { t } = useTranslation('requests');
  const format = useFormatter();
  return (
    <div className="flex flex-col gap-3 text-sm">
      {route_explanation !== null && (
        <p>
          {t('why')} <span lang="en">{route_explanation}</span>
        </p>
      )}
      {attempts.length === 0 && <p className="text-muted">{t('noAttempts')}</p>}
      <ol className="flex flex-col gap-2">
        {attempts.map(({ connection, outcome, upstream_status, upstream_message, duration_ms }, place) => (
          <li key={place} className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-2">
            <span className="text-muted tabular-nums">{format.number(place + 1)}</span>
            <span className="font-medium">{connectionText(connection)}</span>
            {outcome === 'ok' && <Badge tone="good">{t('outcomes.ok')}</Badge>}
            {outcome === 'interrupted' && <Badge tone="warn">{t('outcomes.interrupted')}</Badge>}
            {outcome !== 'ok' && outcome !== 'interrupted' && (
              <>
                <Badge tone="bad">{t('outcomes.failed')}</Badge>
                <FailureLink code={outcome} />
              </>
            )}
            {upstream_status !== null && <span className="text-muted">{t('upstreamStatus', { status: upstream_status })}</span>}
            <span className="ms-auto tabular-nums">{format.milliseconds(duration_ms)}</span>
            {upstream_message !== null && <p className="w-full text-muted">{t('upstreamSaid', { message: upstream_message })}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Moment({ at_ms, event, detail }: Turn['timeline'][number]) {
  const { t } = useTranslation('requests');
  const format = useFormatter();
  return (
    <li className="grid grid-cols-[5rem_1fr] gap-x-3 sm:grid-cols-[5rem_14rem_1fr]">
      <span className="text-end text-muted tabular-nums">{format.milliseconds(at_ms)}</span>
      <span>{t(`events.${event.replace('.', '_')}`)}</span>
      <span lang="en" className="col-start-2 min-w-0 break-words text-muted sm:col-start-3">
        {detail}
      </span>
    </li>
  );
}

/** The name of a connection with its provider; the id of one that is gone. */
function connectionText({ id, label, provider }: Turn['connection']): string {
  if (label === null) return id || '–';
  return provider === null ? label : `${label} (${provider})`;
}
