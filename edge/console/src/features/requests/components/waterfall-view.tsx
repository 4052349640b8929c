import { clsx } from 'clsx';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { type Turn } from '../queries/turns.ts';
import { type Lane, toTurnDurationMs, toSpans } from '../waterfall.ts';

const COLOURS: Record<Lane, string> = { edge: 'bg-control', routing: 'bg-warn', upstream: 'bg-accent', record: 'bg-good' };

/** When what happened, as bars over one time; a table for those who do not see them. */
export function WaterfallView({ turn }: { turn: Turn }) {
  const { t } = useTranslation('requests');
  const format = useFormatter();
  const total = toTurnDurationMs(turn);
  const spans = toSpans(turn);
  if (spans.length === 0) return <p className="text-sm text-muted">{t('noTimes')}</p>;
  return (
    <div role="group" aria-label={t('waterfall')} tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-136 border-separate border-spacing-y-1 text-sm">
        <caption className="sr-only">{t('waterfall')}</caption>
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className="w-44 pe-3 text-start font-medium">
              {t('part')}
            </th>
            <th scope="col" className="w-20 pe-3 text-end font-medium">
              {t('begins')}
            </th>
            <th scope="col" className="w-20 pe-3 text-end font-medium">
              {t('takes')}
            </th>
            <th scope="col" className="text-start font-medium">
              <span className="sr-only">{t('outcome')}</span>
              <span aria-hidden className="flex justify-between">
                <span>{format.milliseconds(0)}</span>
                <span>{format.milliseconds(total)}</span>
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ lane, name, detail, start, end, failure }, place) => (
            <tr key={place}>
              <th scope="row" className="pe-3 text-start align-top font-normal">
                <span className="block">{t(`spans.${name}`)}</span>
                <span className="block truncate text-xs text-muted">{[t(`lanes.${lane}`), detail].filter(Boolean).join(' · ')}</span>
              </th>
              <td className="pe-3 text-end align-top tabular-nums">{format.milliseconds(start)}</td>
              <td className="pe-3 text-end align-top tabular-nums">{format.milliseconds(end - start)}</td>
              <td className="align-top">
                <div aria-hidden className="relative mt-1 h-3.5 rounded bg-canvas">
                  <div
                    className={clsx('absolute h-full min-w-0.5 rounded', failure ? 'bg-bad' : COLOURS[lane])}
                    style={{ insetInlineStart: `${(start / total) * 100}%`, width: `${(Math.max(0, end - start) / total) * 100}%` }}
                  />
                </div>
                {failure && <FailureLink code={failure} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A code, with the page that explains it. */
export function FailureLink({ code }: { code: string }) {
  return (
    <a href={`/console/errors#${code}`} className="text-xs text-bad underline">
      <code>{code}</code>
    </a>
  );
}
