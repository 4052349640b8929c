import { clsx } from 'clsx';
import { Bot, CircleAlert, CircleSlash, User } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type components } from '../../api/generated/me.ts';
import { useFormatter } from '../../i18n/formatter.ts';
import { CopyButton } from '../copy-button.tsx';
import { AnswerText } from './answer-text.tsx';
import { AssetView } from './asset-view.tsx';
import { LongText } from './long-text.tsx';
import { Reasoning } from './reasoning.tsx';

/** A message as the record has it. */
export type Message = components['schemas']['Message'];

interface MessageViewProps {
  workspaceId: string;
  message: Message;
  onRetryAsset?: ((assetId: string) => Promise<unknown>) | undefined;
  /** Under the text: what to do after an answer that broke off. */
  children?: ReactNode;
}

/** One message: who wrote it, its text, its files, and how it ended where that was no good end. */
export const MessageView = memo(function MessageView({ workspaceId, message, onRetryAsset, children }: MessageViewProps) {
  const { t } = useTranslation();
  const { role, content, status, error, assets, reasoning_content: reasoning } = message;
  const isGrowing = status === 'streaming';
  return (
    <MessageFrame author={role} model={message.model} at={message.created_at} copy={content}>
      {reasoning && <Reasoning text={reasoning} isGrowing={isGrowing && content === ''} />}
      {role === 'assistant' ? <AnswerText text={content} isGrowing={isGrowing} /> : <LongText text={content} />}
      {assets.length > 0 && (
        <ul className="flex flex-col gap-3">
          {assets.map((asset) => (
            <li key={asset.id}>
              <AssetView workspaceId={workspaceId} asset={asset} onRetry={onRetryAsset} />
            </li>
          ))}
        </ul>
      )}
      {isGrowing && <p className="animate-pulse text-sm text-muted">{t('messages.answering')}</p>}
      {status === 'interrupted' && (
        <p className="flex items-center gap-2 text-sm text-muted">
          <CircleSlash className="size-4" aria-hidden />
          {t('messages.interrupted')}
        </p>
      )}
      {status === 'failed' && (
        <p className="flex flex-wrap items-center gap-2 text-sm text-bad">
          <CircleAlert className="size-4" aria-hidden />
          {error?.message ?? t('messages.failed')}
          {error && (
            <a href={`/console/errors#${error.code}`} className="underline">
              <code>{error.code}</code>
            </a>
          )}
        </p>
      )}
      {children}
    </MessageFrame>
  );
});

interface MessageFrameProps {
  author: Message['role'];
  model?: string | null;
  at?: string;
  /** The text that the copy button takes; without it there is none. */
  copy?: string;
  children: ReactNode;
}

/** What every message has: its author, and its place at one side. */
export function MessageFrame({ author, model, at, copy, children }: MessageFrameProps) {
  const { t } = useTranslation();
  const format = useFormatter();
  const isOwn = author === 'user';
  const Icon = isOwn ? User : Bot;
  return (
    <article
      aria-label={t(`messages.by.${author}`)}
      className={clsx('flex max-w-full flex-col gap-1', isOwn ? 'ms-auto w-fit sm:max-w-[85%]' : 'w-full')}
    >
      <p className={clsx('flex flex-wrap items-center gap-1.5 text-xs text-muted', isOwn && 'justify-end')}>
        <Icon className="size-3.5" aria-hidden />
        <span>{t(`messages.by.${author}`)}</span>
        {model && <span>{model}</span>}
        {at && <time dateTime={at}>{format.time(at)}</time>}
        {copy && <CopyButton text={copy} what={t('messages.text')} />}
      </p>
      <div className={clsx('flex min-w-0 flex-col gap-3 rounded-xl px-4 py-3', isOwn ? 'bg-accent-soft' : 'border bg-surface')}>
        {children}
      </div>
    </article>
  );
}
