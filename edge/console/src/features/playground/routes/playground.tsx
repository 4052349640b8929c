import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Eye, MessagesSquare, PanelRight, Plus } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { connectionsQuery, conversationQuery, projectsQuery } from '../../../live/conversations.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { ChatLog } from '../components/chat-log.tsx';
import { ChatOptionsBar } from '../components/chat-options-bar.tsx';
import { Composer } from '../components/composer.tsx';
import { Inspector } from '../components/inspector.tsx';
import { LongTexts } from '../components/long-texts.tsx';
import { PromptSuggestions } from '../components/prompt-suggestions.tsx';
import { UploadList } from '../components/upload-list.tsx';
import { useChat } from '../components/use-chat.ts';
import { useUploads } from '../components/use-uploads.ts';
import { createConversation } from '../queries/upload-attachment.ts';
import { clearNewConversation } from '../turn/turns.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/playground')({ component: PlaygroundPage });

function PlaygroundPage() {
  const { t } = useTranslation('playground');
  const { workspaceId } = Route.useParams();
  const may = usePermissionCheck();
  if (may('data.write', workspaceId)) return <Playground />;
  return (
    <Page title={t('title')}>
      <EmptyState icon={Eye} title={t('readOnly.title')}>
        {t('readOnly.text')}
      </EmptyState>
    </Page>
  );
}

function Playground() {
  const { t } = useTranslation('playground');
  const { workspaceId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { conversation: conversationId, panel } = search;
  const model = search.model ?? 'auto';
  const [text, setText] = useState('');
  const [longTexts, setLongTexts] = useState<readonly string[]>([]);
  const chat = useChat(workspaceId, conversationId);
  const conversation = useQuery({ ...conversationQuery(workspaceId, conversationId ?? ''), enabled: conversationId !== undefined });
  const { data: connections } = useQuery(connectionsQuery(workspaceId));
  const { data: projects } = useQuery(projectsQuery(workspaceId));
  const project = projects?.find(({ id, slug }) => id === search.project || slug === search.project);
  const choose = (change: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true });

  const begin = async () => {
    const accountId = connections?.find(({ label }) => label === search.connection)?.id;
    const id = await createConversation(workspaceId, {
      model,
      ...(accountId !== undefined && { upstream_account_id: accountId }),
      ...(project && { upstream_project_id: project.id }),
    });
    choose({ conversation: id });
    return id;
  };
  const uploads = useUploads(workspaceId, conversationId, begin);
  const routing = {
    ...(search.connection !== undefined && { 'X-Service-Upstream-Account': search.connection }),
    ...(search.profile !== undefined && { 'X-Service-Route-Profile': search.profile }),
    ...(search.project !== undefined && { 'X-Service-Upstream-Project': project?.slug ?? search.project }),
  };
  const say = (said: string) => {
    chat.say({ text: said, attachments: uploads.attachments, model, routing });
    uploads.clear();
    setText('');
    setLongTexts([]);
  };
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    uploads.add(event.dataTransfer.files);
  };
  const startAnew = () => {
    clearNewConversation(workspaceId);
    choose({ conversation: undefined });
  };
  const title = conversation.data?.title || t(conversationId === undefined ? 'newConversation' : 'untitled');
  const actions = (
    <>
      {conversationId !== undefined && (
        <Link
          to="/w/$workspaceId/conversations/$conversationId"
          params={{ workspaceId, conversationId }}
          className={buttonVariants({ size: 'small' })}
        >
          <MessagesSquare className="size-4" aria-hidden />
          {t('openConversation')}
        </Link>
      )}
      <Button size="small" aria-expanded={panel !== undefined} onClick={() => choose({ panel: panel ? undefined : 'events' })}>
        <PanelRight className="size-4" aria-hidden />
        {t('inspector')}
      </Button>
      <Button size="small" onClick={startAnew} disabled={conversationId === undefined && !chat.state}>
        <Plus className="size-4" aria-hidden />
        {t('newConversation')}
      </Button>
    </>
  );
  return (
    <Page title={t('title')} lead={title} actions={actions} isFull>
      {/* Files may be dropped anywhere; who has no mouse takes the button. */}
      <div className="flex min-h-0 flex-1 flex-col gap-4 xl:flex-row" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3">
          <ChatOptionsBar workspaceId={workspaceId} choice={search} onChoose={choose} isBound={conversationId !== undefined} />
          <ChatLog workspaceId={workspaceId} chat={chat} onRetry={() => chat.retry(model)}>
            <PromptSuggestions workspaceId={workspaceId} onSay={say} />
          </ChatLog>
          <LongTexts texts={longTexts} onRemove={(at) => setLongTexts(longTexts.filter((_, index) => index !== at))} />
          <UploadList uploads={uploads.list} onRemove={uploads.remove} onRetry={uploads.retry} />
          <Composer
            text={text}
            onText={setText}
            isAnswering={chat.isAnswering}
            isWaiting={uploads.isBusy}
            hasMore={longTexts.length > 0}
            onLongText={(long) => setLongTexts([...longTexts, long])}
            onSend={() => say([text, ...longTexts].filter((each) => each.trim() !== '').join('\n\n'))}
            onStop={chat.stop}
            onFiles={uploads.add}
          />
        </div>
        {panel && (
          <aside
            aria-label={t('inspector')}
            className="max-h-[45dvh] min-h-0 shrink-0 overflow-y-auto rounded-xl border bg-surface p-4 xl:max-h-none xl:w-120"
          >
            <Inspector
              panel={panel}
              onPanel={(to) => choose({ panel: to })}
              state={chat.state}
              snippet={{
                origin: location.origin,
                model,
                text:
                  text || (chat.turn?.request.text ?? chat.messages.findLast(({ role }) => role === 'user')?.content ?? t('examples.ask')),
                headers: routing,
              }}
            />
          </aside>
        )}
      </div>
    </Page>
  );
}
