import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CheckCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { type Action, ACTIONS_QUERY_KEY, readActiveActions } from '../queries/catalog.ts';
import { runsInReviewQuery, type Run } from '../queries/runs.ts';
import { RunBadge } from './run-badge.tsx';

/** The runs of all actions that wrote something of which it is not certain that it was meant and is complete. */
export function ReviewQueue({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('actions');
  const list = usePageList<Action>([...ACTIONS_QUERY_KEY, 'list', workspaceId], (offset) => readActiveActions(workspaceId, offset));
  const inReview = useQueries({ queries: list.rows.map(({ slug }) => runsInReviewQuery(workspaceId, slug)) });
  const failed = list.error ?? inReview.find(({ error }) => error)?.error;
  if (failed) {
    const retry = () => {
      list.refetch();
      for (const query of inReview) void query.refetch();
    };
    return <ProblemNote error={failed} onRetry={retry} />;
  }
  if (list.isPending || inReview.some(({ isPending }) => isPending)) return <Skeleton />;
  const waiting = list.rows.flatMap((action, index) => {
    const page = inReview[index]?.data;
    return page && page.items.length > 0 ? [{ action, page }] : [];
  });
  if (waiting.length === 0) {
    return (
      <EmptyState icon={CheckCheck} title={t('review.emptyTitle')}>
        {t('review.emptyText')}
      </EmptyState>
    );
  }
  return (
    <>
      <p className="max-w-prose text-sm text-muted">{t('review.lead')}</p>
      {waiting.map(({ action, page }) => (
        <Card key={action.slug} title={t('review.of', { title: action.title, count: page.total ?? page.items.length })}>
          <ul className="flex flex-col divide-y">
            {page.items.slice(0, 5).map((run) => (
              <WaitingRun key={run.id} run={run} workspaceId={workspaceId} />
            ))}
          </ul>
          {page.items.length > 5 && (
            <Link
              to="/w/$workspaceId/actions/$slug"
              params={{ workspaceId, slug: action.slug }}
              search={{ tab: 'runs', status: 'needs_review' }}
              className="mt-3 inline-block text-sm text-accent underline"
            >
              {t('review.all')}
            </Link>
          )}
        </Card>
      ))}
    </>
  );
}

function WaitingRun({ run, workspaceId }: { run: Run; workspaceId: string }) {
  const { t } = useTranslation('actions');
  const unknown = run.effects.filter(({ outcome }) => outcome === 'unknown').length;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
      <RunBadge status={run.status} />
      <Link
        to="/w/$workspaceId/actions/$slug/runs/$runId"
        params={{ workspaceId, slug: run.action, runId: run.id }}
        className="font-mono text-xs text-accent underline"
      >
        {run.id}
      </Link>
      <span>{t('review.writes', { count: run.effects.length })}</span>
      {unknown > 0 && <span className="text-warn">{t('review.unknown', { count: unknown })}</span>}
      <span className="ms-auto text-muted">
        <RelativeTime at={run.created_at} />
      </span>
    </li>
  );
}
