import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import { type Message, MessageView } from './message-view.tsx';

/** Newest messages that are shown at first; earlier ones come on demand. */
const SHOWN = 100;

interface MessageListProps {
  workspaceId: string;
  messages: readonly Message[];
  onRetryAsset?: (assetId: string) => Promise<unknown>;
  /** Under the last message, where its answer broke off. */
  afterBroken?: ReactNode;
}

/** The messages of a conversation, oldest first. Those out of sight cost no layout. */
export function MessageList({ workspaceId, messages, onRetryAsset, afterBroken }: MessageListProps) {
  const { t } = useTranslation();
  const [count, setCount] = useState(SHOWN);
  const shown = messages.slice(-count);
  const hidden = messages.length - shown.length;
  return (
    <>
      {hidden > 0 && (
        <Button className="self-center" size="small" onClick={() => setCount(count + SHOWN)}>
          {t('messages.earlier', { count: hidden })}
        </Button>
      )}
      {shown.map((message, index) => {
        const isLast = index === shown.length - 1;
        const view = (
          <MessageView workspaceId={workspaceId} message={message} onRetryAsset={onRetryAsset}>
            {isLast && (message.status === 'failed' || message.status === 'interrupted') && afterBroken}
          </MessageView>
        );
        return (
          <div key={message.id} className="[contain-intrinsic-size:auto_8rem] [content-visibility:auto]">
            {isReplaced(message, shown[index + 1]) ? (
              <details className="text-sm text-muted">
                <summary className="cursor-pointer">{t('messages.replaced')}</summary>
                {view}
              </details>
            ) : (
              view
            )}
          </div>
        );
      })}
    </>
  );
}

/** What decides whether a message counts. */
interface Counted {
  role: string;
  status: string;
}

/** Whether an answer broke off and another answer to the same question follows it. */
function isReplaced(message: Counted, next: Counted | undefined): boolean {
  const isBroken = message.status === 'failed' || message.status === 'interrupted';
  return message.role === 'assistant' && isBroken && next?.role === 'assistant';
}
