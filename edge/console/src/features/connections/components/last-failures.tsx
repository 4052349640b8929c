import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { lastFailuresQuery } from '../queries/connection-usage.ts';

/** The last turns of a connection that failed: when, with what, and what the upstream said. */
export function LastFailures({ workspaceId, connectionId }: { workspaceId: string; connectionId: string }) {
  const { t } = useTranslation('connections');
  const { data, error, isPending, refetch } = useQuery(lastFailuresQuery(workspaceId, connectionId));
  return (
    <Card title={t('failures.title')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton rows={1} />}
      {data?.length === 0 && <p className="text-sm text-muted">{t('failures.none')}</p>}
      <ul className="flex flex-col divide-y">
        {data?.map(({ turn_id, request_id, error: failure, started_at, attempts }) => {
          const said = attempts.find(({ connection, upstream_message }) => connection.id === connectionId && upstream_message);
          return (
            <li key={turn_id} className="flex flex-col gap-0.5 py-2 text-sm first:pt-0 last:pb-0">
              <p className="flex flex-wrap items-baseline gap-x-3">
                {failure && (
                  <a href={`/console/errors#${failure.code}`} className="underline">
                    <code>{failure.code}</code>
                  </a>
                )}
                <RelativeTime at={started_at} />
                <Link
                  to="/w/$workspaceId/requests/$requestId"
                  params={{ workspaceId, requestId: request_id }}
                  className="text-accent underline"
                >
                  {t('failures.request')}
                </Link>
              </p>
              {failure && <p className="break-words">{failure.message}</p>}
              {said?.upstream_message && (
                <p className="break-words text-muted">{t('failures.upstream', { text: said.upstream_message })}</p>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
