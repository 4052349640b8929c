import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { LongText } from '../../../ui/messages/long-text.tsx';
import { Snippets } from '../../../ui/snippets.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { type SnippetFacts, toRequestSnippets } from '../turn/request-snippets.ts';
import { type HttpExchange, type TurnState } from '../turn/running-turn.ts';
import { TurnFigures } from './live-turn.tsx';

export const PANELS = ['events', 'code', 'raw'] as const;
export type Panel = (typeof PANELS)[number];

interface InspectorProps {
  panel: Panel;
  onPanel: (panel: Panel) => void;
  state: TurnState | undefined;
  snippet: SnippetFacts;
}

/** What is behind the chat: the events of the last answer, the request as code, and the exchange as it went. */
export function Inspector({ panel, onPanel, state, snippet }: InspectorProps) {
  const { t } = useTranslation('playground');
  return (
    <Tabs label={t('inspector')} value={panel} onChange={onPanel} tabs={PANELS.map((name) => ({ name, label: t(`panels.${name}`) }))}>
      {panel === 'code' && (
        <>
          <p className="text-sm text-muted">{t('codeNote')}</p>
          <Snippets label={t('panels.code')} snippets={toRequestSnippets(snippet)} />
        </>
      )}
      {panel !== 'code' && !state && <p className="text-sm text-muted">{t('nothingYet')}</p>}
      {panel === 'events' && state && <Events state={state} />}
      {panel === 'raw' && state && <Raw exchange={state.exchange} />}
    </Tabs>
  );
}

const TONES: readonly [end: string, tone: Tone][] = [
  ['.failed', 'bad'],
  ['.completed', 'good'],
  ['.ready', 'good'],
];

function Events({ state }: { state: TurnState }) {
  const { t } = useTranslation('playground');
  const format = useFormatter();
  const { events } = state.answer;
  return (
    <>
      <TurnFigures state={state} />
      {events.length === 0 && <p className="text-sm text-muted">{t('noEvents')}</p>}
      <ol className="flex flex-col gap-2">
        {events.map(({ event, atMs }, index) => (
          <li key={index} className="flex flex-wrap items-baseline gap-2 text-sm">
            <span className="text-xs text-muted tabular-nums">{format.milliseconds(atMs)}</span>
            <Badge tone={TONES.find(([end]) => event.type.endsWith(end))?.[1] ?? 'neutral'}>{event.type}</Badge>
            {event.asset && <span className="break-all">{event.asset.file_name}</span>}
            {event.error_message && <span className="text-bad">{event.error_message}</span>}
            {event.error && <span className="text-bad">{event.error.message}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Raw({ exchange: { request, response, received, isCut } }: { exchange: HttpExchange }) {
  const { t } = useTranslation('playground');
  const sent = [`POST ${request.url}`, ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`), '', request.body];
  const got = response && [`${response.status}`, ...response.headers.map(([name, value]) => `${name}: ${value}`), '', received];
  return (
    <>
      <p className="text-sm text-muted">{t('rawNote')}</p>
      <Wire label={t('request')} text={sent.join('\n')} />
      {got && <Wire label={t('response')} text={got.join('\n')} />}
      {isCut && <p className="text-sm text-muted">{t('cut')}</p>}
    </>
  );
}

function Wire({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label} className="flex flex-col gap-1">
      <div className="flex items-center justify-between">
        <h3 className="text-sm">{label}</h3>
        <CopyButton text={text} what={label} />
      </div>
      <div
        role="region"
        aria-label={label}
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-lg border bg-canvas p-3 font-mono text-xs break-all"
      >
        <LongText text={text} />
      </div>
    </section>
  );
}
