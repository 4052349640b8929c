import { LoaderCircle, Paperclip, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type Upload } from './use-uploads.ts';

interface UploadListProps {
  uploads: readonly Upload[];
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
}

/** The files of the message that is being written. */
export function UploadList({ uploads, onRemove, onRetry }: UploadListProps) {
  const { t } = useTranslation('playground');
  const format = useFormatter();
  if (uploads.length === 0) return null;
  return (
    <ul aria-label={t('attachments')} className="flex max-h-48 flex-wrap gap-2 overflow-y-auto">
      {uploads.map(({ id, file, attachment, error }) => (
        <li key={id} className="flex max-w-full flex-col gap-1">
          <span className="inline-flex max-w-full items-center gap-2 rounded-lg border bg-canvas py-0.5 ps-2.5 pe-1 text-sm">
            {attachment || error !== undefined ? (
              <Paperclip className="size-3.5 shrink-0 text-muted" aria-hidden />
            ) : (
              <LoaderCircle className="size-3.5 shrink-0 animate-spin text-muted" aria-hidden />
            )}
            <span className="truncate">{file.name}</span>
            <span className="shrink-0 text-muted">{attachment || error !== undefined ? format.bytes(file.size) : t('uploading')}</span>
            <Button
              look="ghost"
              size="icon"
              className="size-7"
              aria-label={t('removeFile', { name: file.name })}
              onClick={() => onRemove(id)}
            >
              <X className="size-3.5" aria-hidden />
            </Button>
          </span>
          {error !== undefined && <ProblemNote error={error} onRetry={() => onRetry(id)} />}
        </li>
      ))}
    </ul>
  );
}
