import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TurnView } from '../components/turn-view.tsx';
import { requestQuery, recentUsageQuery } from '../queries/turns.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/requests/$requestId')({ component: RequestPage });

function RequestPage() {
  const { t } = useTranslation('requests');
  const { workspaceId, requestId } = Route.useParams();
  const format = useFormatter();
  const { data: turns, error, refetch } = useQuery(requestQuery(workspaceId, requestId));
  const { data: keys } = useQuery(recentUsageQuery(workspaceId, 'key'));
  const back = (
    <Link to="/w/$workspaceId/requests" params={{ workspaceId }} className={buttonVariants()}>
      <ArrowLeft className="size-4 rtl:rotate-180" aria-hidden />
      {t('back')}
    </Link>
  );
  return (
    <Page title={t('request')} lead={<code className="text-xs break-all">{requestId}</code>} actions={back}>
      {error && (
        <>
          <ProblemNote error={error} onRetry={() => void refetch()} />
          <p className="text-sm text-muted">{t('notFoundHint')}</p>
        </>
      )}
      {!error && !turns && <Skeleton />}
      {turns?.map((turn, place) => (
        <section key={turn.turn_id} aria-label={t('turnOf', { number: place + 1 })} className="flex flex-col gap-3">
          {turns.length > 1 && (
            <h2>
              {t('turnOf', { number: place + 1 })}{' '}
              <span className="text-sm font-normal text-muted">{format.dateTime(turn.started_at)}</span>
            </h2>
          )}
          <TurnView turn={turn} keyName={keys?.find(({ id }) => id === turn.key_id)?.name ?? undefined} />
        </section>
      ))}
    </Page>
  );
}
