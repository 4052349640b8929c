import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { ArrowLeft, MessagesSquare, Pin, Sparkles } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  type ConversationDetail,
  connectionsQuery,
  conversationQuery,
  messagesQuery,
  projectsQuery,
  retryAsset,
} from '../../../live/conversations.ts';
import { sessionQuery } from '../../../session/queries.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { buttonVariants } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { MessageList } from '../../../ui/messages/message-list.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { ContinuityBadge, ContinuityNote } from '../components/continuity.tsx';
import { ConversationFiles } from '../components/conversation-files.tsx';
import { ConversationMenu } from '../components/conversation-menu.tsx';
import { ConversationParticipants } from '../components/conversation-participants.tsx';
import { useConversationCommands } from '../queries/conversation-commands.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/conversations/$conversationId')({ component: ConversationPage });

const TABS = ['messages', 'files', 'people'] as const;

function ConversationPage() {
  const { t } = useTranslation('conversations');
  const { workspaceId, conversationId } = Route.useParams();
  const { data, error, refetch, isPending } = useQuery(conversationQuery(workspaceId, conversationId));
  if (data) return <Conversation conversation={data} />;
  return (
    <Page title={t('one')}>
      <BackLink workspaceId={workspaceId} />
      {isPending && <Skeleton />}
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Conversation({ conversation }: { conversation: ConversationDetail }) {
  const { t } = useTranslation('conversations');
  const { workspaceId, conversationId } = Route.useParams();
  const { tab = 'messages' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const commands = useConversationCommands(workspaceId, conversationId);
  const role = useRole(conversation);
  const mayWrite = may('data.write', workspaceId) && role !== 'viewer';
  const isOwner = mayWrite && role === 'owner';
  const title = conversation.title || t('untitled');
  const actions = (
    <>
      {mayWrite && (
        <Link
          to="/w/$workspaceId/playground"
          params={{ workspaceId }}
          search={{ conversation: conversationId }}
          className={buttonVariants({ look: 'primary' })}
        >
          <Sparkles className="size-4" aria-hidden />
          {t('goOn')}
        </Link>
      )}
      <ConversationMenu workspaceId={workspaceId} conversation={conversation} commands={commands} mayWrite={mayWrite} isOwner={isOwner} />
    </>
  );
  return (
    <Page title={title} lead={<Facts workspaceId={workspaceId} conversation={conversation} />} actions={actions}>
      <BackLink workspaceId={workspaceId} />
      <ContinuityNote workspaceId={workspaceId} conversation={conversation} onSync={mayWrite ? commands.sync : undefined} />
      <Tabs
        label={t('views')}
        value={tab}
        onChange={(to) => void navigate({ search: { tab: to }, replace: true })}
        tabs={TABS.map((name) => ({ name, label: t(`tabs.${name}`) }))}
      >
        {tab === 'messages' && <Messages mayWrite={mayWrite} />}
        {tab === 'files' && <ConversationFiles workspaceId={workspaceId} conversationId={conversationId} mayWrite={mayWrite} />}
        {tab === 'people' && (
          <ConversationParticipants workspaceId={workspaceId} conversation={conversation} commands={isOwner ? commands : undefined} />
        )}
      </Tabs>
    </Page>
  );
}

/** The role of the person in it. */
function useRole({ owner_user_id: ownerId, participants }: ConversationDetail): 'owner' | 'editor' | 'viewer' {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (ownerId === session.user.id) return 'owner';
  // What is seen without a part in it is what the own hidden key began.
  return participants.find(({ user_id }) => user_id === session.user.id)?.role ?? 'owner';
}

function BackLink({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('conversations');
  return (
    <Link
      to="/w/$workspaceId/conversations"
      params={{ workspaceId }}
      className="inline-flex items-center gap-1.5 self-start text-sm text-muted hover:underline"
    >
      <ArrowLeft className="size-4 rtl:rotate-180" aria-hidden />
      {t('back')}
    </Link>
  );
}

function Facts({ workspaceId, conversation }: { workspaceId: string; conversation: ConversationDetail }) {
  const { t } = useTranslation('conversations');
  const { data: projects } = useQuery(projectsQuery(workspaceId));
  const { data: connections } = useQuery(connectionsQuery(workspaceId));
  const { upstream_project_id: projectId, upstream_account_id: connectionId } = conversation;
  const project = projectId === undefined ? undefined : (projects?.find(({ id }) => id === projectId)?.name ?? t('otherProject'));
  const connection = connections?.find(({ id }) => id === connectionId)?.label;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <ContinuityBadge status={conversation.continuity_status} />
      {conversation.pinned && (
        <Badge tone="accent">
          <Pin className="size-3" aria-hidden />
          {t('pinned')}
        </Badge>
      )}
      {conversation.status === 'archived' && <Badge>{t('archived')}</Badge>}
      {projectId !== undefined && (
        <Link to="/w/$workspaceId/projects/$projectId" params={{ workspaceId, projectId }} className="underline">
          {project}
        </Link>
      )}
      {connection !== undefined && (
        <Link to="/w/$workspaceId/connections/$connectionId" params={{ workspaceId, connectionId }} className="underline">
          {connection}
        </Link>
      )}
      <span>{conversation.model}</span>
      <RelativeTime at={conversation.last_message_at ?? conversation.created_at} />
    </span>
  );
}

function Messages({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation('conversations');
  const { workspaceId, conversationId } = Route.useParams();
  const { data: messages, error, refetch, isPending } = useQuery(messagesQuery(workspaceId, conversationId));
  if (isPending) return <Skeleton />;
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (messages.length === 0)
    return (
      <EmptyState icon={MessagesSquare} title={t('noMessages.title')}>
        {t('noMessages.text')}
      </EmptyState>
    );
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4">
      <MessageList
        workspaceId={workspaceId}
        messages={messages}
        {...(mayWrite && { onRetryAsset: (id: string) => retryAsset(workspaceId, id) })}
      />
    </div>
  );
}
