import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchInWorkspace } from '../../api/me.ts';
import { asProblem, readProblem } from '../../api/problem.ts';
import { Dialog } from '../dialog.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { Skeleton } from '../skeleton.tsx';
import { type Asset } from './asset.ts';

interface MarkupPreviewProps {
  workspaceId: string;
  asset: Asset;
  onClose: () => void;
}

/** A page or a drawing in a frame that has no rights: no script runs in it, and it knows nothing of the console. */
export function MarkupPreview({ workspaceId, asset, onClose }: MarkupPreviewProps) {
  const { t } = useTranslation();
  const file = useQuery({
    queryKey: ['asset-bytes', workspaceId, asset.id],
    queryFn: () => readFile(workspaceId, asset.id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Dialog isOpen onClose={onClose} title={asset.file_name} description={t('messages.previewNote')} size="wide">
      {file.isPending && <Skeleton />}
      {file.error && <ProblemNote error={file.error} onRetry={() => void file.refetch()} />}
      {file.data && <Frame blob={file.data} title={asset.file_name} />}
    </Dialog>
  );
}

async function readFile(workspaceId: string, assetId: string): Promise<Blob> {
  const response = await fetchInWorkspace(workspaceId, `/me/v1/assets/${assetId}/download`).catch((error: unknown) => {
    throw asProblem(error);
  });
  if (!response.ok) throw await readProblem(response);
  return response.blob();
}

function Frame({ blob, title }: { blob: Blob; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(blob);
    if (frame.current) frame.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return <iframe ref={frame} title={title} sandbox="" className="h-[65dvh] w-full rounded-lg border bg-white" />;
}
