import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { MessagesSquare, Pin, Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { connectionsQuery, projectsQuery } from '../../../live/conversations.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ContinuityBadge } from '../components/continuity.tsx';
import { ConversationFilterBar } from '../components/conversation-filter-bar.tsx';
import { type Conversation, useConversations } from '../queries/conversations.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/conversations')({ component: ConversationListPage });

function ConversationListPage() {
  const { t } = useTranslation('conversations');
  const { workspaceId } = Route.useParams();
  const filter = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const list = useConversations(workspaceId, filter);
  const lead = useNavigate();
  const open = useCallback(
    ({ id }: Conversation) =>
      void lead({ to: '/w/$workspaceId/conversations/$conversationId', params: { workspaceId, conversationId: id } }),
    [lead, workspaceId],
  );
  const columns = useColumns(workspaceId);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const start = may('data.write', workspaceId) && (
    <Link to="/w/$workspaceId/playground" params={{ workspaceId }} className={buttonVariants({ look: 'primary' })}>
      <Plus className="size-4" aria-hidden />
      {t('start')}
    </Link>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={start}>
      <ConversationFilterBar
        workspaceId={workspaceId}
        filter={filter}
        onFilter={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      />
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      {list.isPending && <Skeleton rows={8} />}
      {list.rows.length > 0 && (
        <DataTable
          label={t('title')}
          rows={list.rows}
          rowId={({ id }) => id}
          columns={columns}
          hasMore={list.hasMore}
          isReadingMore={list.isReadingMore}
          onMore={list.readMore}
          footer={list.total === undefined ? undefined : t('count', { count: list.total })}
          onOpen={open}
        />
      )}
      {!list.isPending && !list.error && list.rows.length === 0 && isFiltered && (
        <EmptyState
          icon={SearchX}
          title={t('noneFound.title')}
          action={<Button onClick={() => void navigate({ search: {} })}>{t('noneFound.action')}</Button>}
        >
          {t('noneFound.text')}
        </EmptyState>
      )}
      {!list.isPending && !list.error && list.rows.length === 0 && !isFiltered && (
        <EmptyState icon={MessagesSquare} title={t('empty.title')} action={start}>
          {t('empty.text')}
        </EmptyState>
      )}
    </Page>
  );
}

function useColumns(workspaceId: string): ColumnDef<Conversation>[] {
  const { t } = useTranslation('conversations');
  const format = useFormatter();
  const { data: projects } = useQuery(projectsQuery(workspaceId));
  const { data: connections } = useQuery(connectionsQuery(workspaceId));
  return useMemo(() => {
    const projectName = new Map(projects?.map(({ id, name }) => [id, name]));
    const accountLabel = new Map(connections?.map(({ id, label }) => [id, label]));
    return [
      {
        id: 'title',
        header: t('columns.title'),
        size: 260,
        meta: { isWide: true },
        cell: ({ row: { original } }) => (
          <span className="flex min-w-0 items-center gap-2">
            {original.pinned && <Pin className="size-3.5 shrink-0 text-accent" role="img" aria-label={t('pinned')} />}
            <Link
              to="/w/$workspaceId/conversations/$conversationId"
              params={{ workspaceId, conversationId: original.id }}
              className="truncate font-medium hover:underline"
            >
              {original.title || t('untitled')}
            </Link>
            {original.status === 'archived' && <Badge>{t('archived')}</Badge>}
          </span>
        ),
      },
      {
        id: 'continuity',
        header: t('columns.continuity'),
        size: 165,
        cell: ({ row: { original } }) => <ContinuityBadge status={original.continuity_status} />,
      },
      {
        id: 'project',
        header: t('columns.project'),
        size: 130,
        cell: ({ row: { original } }) =>
          original.upstream_project_id ? (projectName.get(original.upstream_project_id) ?? t('otherProject')) : '–',
      },
      {
        id: 'connection',
        header: t('columns.connection'),
        size: 150,
        cell: ({ row: { original } }) => accountLabel.get(original.upstream_account_id) ?? '–',
      },
      {
        id: 'messages',
        header: t('columns.messages'),
        size: 95,
        cell: ({ row: { original } }) => format.number(original.message_count),
      },
      {
        id: 'active',
        header: t('columns.active'),
        size: 150,
        cell: ({ row: { original } }) => <RelativeTime at={original.last_message_at ?? original.created_at} />,
      },
    ];
  }, [t, format, projects, connections, workspaceId]);
}
