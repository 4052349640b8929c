import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { type ProjectDetail, projectConversationsKey, readProjectConversations } from '../queries/projects.ts';

/** The person's conversations in a project. */
export function ProjectConversations({ workspaceId, project }: { workspaceId: string; project: ProjectDetail }) {
  const { t } = useTranslation('projects');
  const { rows, total, hasMore, isReadingMore, readMore, isPending, error, refetch } = usePageList(
    projectConversationsKey(workspaceId, project.id),
    (offset) => readProjectConversations(workspaceId, project.id, offset),
  );
  return (
    <Card title={t('conversations.title')}>
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {isPending && <Skeleton rows={3} />}
      {!isPending && rows.length === 0 && <p className="py-4 text-center text-sm text-muted">{t('conversations.empty')}</p>}
      <ul className="flex flex-col divide-y" aria-label={t('conversations.title')}>
        {rows.map(({ id, title, continuity_status: continuity, last_message_at: lastAt, created_at: createdAt, message_count: count }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
            <Link
              to="/w/$workspaceId/conversations/$conversationId"
              params={{ workspaceId, conversationId: id }}
              className="min-w-0 flex-1 truncate font-medium hover:underline"
            >
              {title || t('conversations.untitled')}
            </Link>
            {continuity !== 'available' && <Badge tone="warn">{t('conversations.interrupted')}</Badge>}
            <span className="text-muted">{t('conversations.messages', { count })}</span>
            <span className="text-muted">
              <RelativeTime at={lastAt ?? createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-2 pt-2 text-sm text-muted">
        {total !== undefined && total < project.conversation_count && (
          <span>{t('conversations.others', { count: project.conversation_count - total })}</span>
        )}
        {hasMore && (
          <Button size="small" isBusy={isReadingMore} onClick={readMore}>
            {t('common:more')}
          </Button>
        )}
      </div>
    </Card>
  );
}
