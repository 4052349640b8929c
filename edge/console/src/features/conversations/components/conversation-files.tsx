import { Paperclip } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { retryAsset } from '../../../live/conversations.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { AssetView } from '../../../ui/messages/asset-view.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useFiles } from '../queries/conversations.ts';

interface ConversationFilesProps {
  workspaceId: string;
  conversationId: string;
  mayWrite: boolean;
}

/** The files of a conversation: attached and generated ones. */
export function ConversationFiles({ workspaceId, conversationId, mayWrite }: ConversationFilesProps) {
  const { t } = useTranslation('conversations');
  const files = useFiles(workspaceId, conversationId);
  if (files.error) return <ProblemNote error={files.error} onRetry={files.refetch} />;
  if (files.isPending) return <Skeleton />;
  if (files.rows.length === 0)
    return (
      <EmptyState icon={Paperclip} title={t('files.empty.title')}>
        {t('files.empty.text')}
      </EmptyState>
    );
  return (
    <>
      <ul aria-label={t('tabs.files')} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {files.rows.map((asset) => (
          <li key={asset.id} className="flex min-w-0 flex-col gap-2 rounded-xl border bg-surface p-3">
            <AssetView
              workspaceId={workspaceId}
              asset={asset}
              {...(mayWrite && { onRetry: (id: string) => retryAsset(workspaceId, id) })}
            />
            <p className="mt-auto text-xs text-muted">
              {t(asset.asset_type === 'attachment' ? 'files.attached' : 'files.made')} <RelativeTime at={asset.created_at} />
            </p>
          </li>
        ))}
      </ul>
      {files.hasMore && (
        <Button className="self-center" isBusy={files.isReadingMore} onClick={files.readMore}>
          {t('files.more')}
        </Button>
      )}
    </>
  );
}
