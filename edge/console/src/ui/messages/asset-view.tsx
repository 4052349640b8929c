import { useMutation } from '@tanstack/react-query';
import { CircleAlert, Download, File as FileIcon, LoaderCircle, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toWorkspaceHref } from '../../api/me.ts';
import { useFormatter } from '../../i18n/formatter.ts';
import { Button, buttonVariants } from '../button.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { type Asset } from './asset.ts';
import { MarkupPreview } from './markup-preview.tsx';

const SHOWN_IMAGES = /^image\/(png|jpe?g|gif|webp|avif)$/;
/** Pages and drawings that could hold scripts are never part of the page. */
const MARKUP = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml)$/;

interface AssetViewProps {
  workspaceId: string;
  asset: Asset;
  /** Fetches a failed one again; without it there is no such button. */
  onRetry?: ((assetId: string) => Promise<unknown>) | undefined;
}

/** A file in place: an image, a player, or what it is called with a way to save it. */
export function AssetView({ workspaceId, asset, onRetry }: AssetViewProps) {
  if (asset.status === 'failed') return <FailedAsset asset={asset} onRetry={onRetry} />;
  if (asset.status !== 'ready') return <ComingAsset asset={asset} />;
  const href = toWorkspaceHref(workspaceId, `/me/v1/assets/${asset.id}/download`);
  return (
    <figure className="flex max-w-full flex-col gap-1.5">
      {SHOWN_IMAGES.test(asset.mime_type) && (
        <img
          src={href}
          alt={asset.file_name}
          loading="lazy"
          width={asset.width}
          height={asset.height}
          className="h-auto max-h-112 w-auto max-w-full self-start rounded-lg border bg-canvas object-contain"
        />
      )}
      {asset.mime_type.startsWith('audio/') && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- what an upstream makes has none
        <audio controls preload="metadata" src={href} aria-label={asset.file_name} className="max-w-full" />
      )}
      <figcaption className="flex max-w-full flex-wrap items-center gap-2">
        <AssetName asset={asset} />
        <SaveLink asset={asset} href={href} />
        {MARKUP.test(asset.mime_type) && <PreviewButton workspaceId={workspaceId} asset={asset} />}
      </figcaption>
    </figure>
  );
}

function AssetName({ asset: { file_name, size_bytes } }: { asset: Asset }) {
  const format = useFormatter();
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-sm">
      <FileIcon className="size-4 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 break-all">{file_name}</span>
      {size_bytes > 0 && <span className="shrink-0 text-muted">{format.bytes(size_bytes)}</span>}
    </span>
  );
}

function SaveLink({ asset, href }: { asset: Asset; href: string }) {
  const { t } = useTranslation();
  return (
    <a
      href={href}
      download={asset.file_name}
      className={buttonVariants({ size: 'small' })}
      aria-label={t('messages.saveFile', { name: asset.file_name })}
    >
      <Download className="size-3.5" aria-hidden />
      {t('messages.save')}
    </a>
  );
}

function PreviewButton({ workspaceId, asset }: { workspaceId: string; asset: Asset }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('messages.preview')}
      </Button>
      {isOpen && <MarkupPreview workspaceId={workspaceId} asset={asset} onClose={() => setOpen(false)} />}
    </>
  );
}

function ComingAsset({ asset }: { asset: Asset }) {
  const { t } = useTranslation();
  return (
    <p className="inline-flex max-w-full items-center gap-2 rounded-lg border border-dashed px-3 py-2 text-sm text-muted">
      <LoaderCircle className="size-4 shrink-0 animate-spin" aria-hidden />
      <span className="min-w-0 break-all">{asset.file_name}</span>
      <span>{t(`messages.assetStatus.${asset.status}`)}</span>
    </p>
  );
}

function FailedAsset({ asset, onRetry }: Pick<AssetViewProps, 'asset' | 'onRetry'>) {
  const { t } = useTranslation();
  const retry = useMutation({ mutationFn: async () => onRetry?.(asset.id) });
  return (
    <div className="flex max-w-full flex-col gap-2 rounded-lg border border-bad/40 bg-bad-soft px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <CircleAlert className="size-4 shrink-0 text-bad" aria-hidden />
        <span className="min-w-0 break-all">{asset.file_name}</span>
        <span>{asset.error_message ?? t('messages.assetStatus.failed')}</span>
        {asset.error_code && <code>{asset.error_code}</code>}
        {onRetry && (
          <Button size="small" isBusy={retry.isPending} onClick={() => retry.mutate()}>
            <RotateCw className="size-3.5" aria-hidden />
            {t('messages.fetchAgain')}
          </Button>
        )}
      </p>
      {retry.error && <ProblemNote error={retry.error} />}
    </div>
  );
}
