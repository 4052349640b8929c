import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { type Usage } from '../queries/home.ts';

/** Requests of each hour as bars, those that failed at their top; as a table for screen readers. */
export function HourBars({ hours }: { hours: readonly Usage[] }) {
  const { t } = useTranslation('home');
  const format = useFormatter();
  const most = Math.max(1, ...hours.map(({ requests }) => requests));
  const [first, last] = [hours[0], hours.at(-1)];
  return (
    <div>
      <div aria-hidden className="flex h-24 items-end gap-0.5 sm:gap-1">
        {hours.map(({ id, requests, errors }) => (
          <div
            key={id}
            title={t('hours.bar', { time: format.hour(id), requests: format.number(requests), errors: format.number(errors) })}
            className="flex min-h-0.5 flex-1 flex-col overflow-hidden rounded-t-sm bg-line"
            style={{ height: `${(requests / most) * 100}%` }}
          >
            {requests > 0 && (
              <>
                <div className="bg-bad" style={{ flexGrow: errors }} />
                <div className="bg-accent" style={{ flexGrow: requests - errors }} />
              </>
            )}
          </div>
        ))}
      </div>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-muted">
        <span>{first && format.hour(first.id)}</span>
        <span>{last && format.hour(last.id)}</span>
      </p>
      <table className="sr-only">
        <caption>{t('hours.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('hours.hour')}</th>
            <th scope="col">{t('day.requests')}</th>
            <th scope="col">{t('day.errors')}</th>
          </tr>
        </thead>
        <tbody>
          {hours
            .filter(({ requests }) => requests > 0)
            .map(({ id, requests, errors }) => (
              <tr key={id}>
                <th scope="row">{format.hour(id)}</th>
                <td>{format.number(requests)}</td>
                <td>{format.number(errors)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
