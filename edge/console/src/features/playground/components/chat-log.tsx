import { RotateCw } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { retryAsset } from '../../../live/conversations.ts';
import { Button } from '../../../ui/button.tsx';
import { MessageList } from '../../../ui/messages/message-list.tsx';
import { useStickToEnd } from '../../../ui/messages/use-stick-to-end.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { LiveTurn, AnswerAnnouncer } from './live-turn.tsx';
import { type useChat } from './use-chat.ts';

interface ChatLogProps {
  workspaceId: string;
  chat: ReturnType<typeof useChat>;
  onRetry: () => void;
  /** In place of messages where there are none. */
  children: ReactNode;
}

/** What was said, and what is being said. */
export function ChatLog({ workspaceId, chat, onRetry, children }: ChatLogProps) {
  const { t } = useTranslation('playground');
  const scroller = useRef<HTMLDivElement>(null);
  const { messages, turn, state } = chat;
  const onScroll = useStickToEnd(scroller, turn, messages.length > 0 || turn !== undefined);
  const isEmpty = messages.length === 0 && !turn;
  const again = (
    <Button size="small" className="self-start" onClick={onRetry}>
      <RotateCw className="size-3.5" aria-hidden />
      {t('askAgain')}
    </Button>
  );
  return (
    <div
      ref={scroller}
      onScroll={onScroll}
      role="region"
      aria-label={t('log')}
      aria-busy={chat.isAnswering}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto rounded-xl p-1"
    >
      <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 pb-2">
        {chat.isPending && !chat.error && <Skeleton />}
        {chat.error && <ProblemNote error={chat.error} onRetry={chat.refetch} />}
        {isEmpty && !chat.isPending && !chat.error && children}
        <MessageList
          workspaceId={workspaceId}
          messages={messages}
          onRetryAsset={(id) => retryAsset(workspaceId, id)}
          {...(!turn && { afterBroken: again })}
        />
        {turn && state && <LiveTurn turn={turn} state={state} onRetry={onRetry} />}
      </div>
      <AnswerAnnouncer state={state} />
    </div>
  );
}
