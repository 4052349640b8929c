import { clsx } from 'clsx';
import { FileAudio } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A place for one recording: dropped, or chosen. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const { t } = useTranslation('audio');
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) onFile(file);
  };
  return (
    // The input inside is what keyboards reach; to drop a file is a shortcut of it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <label
      className={clsx(
        'flex cursor-pointer flex-col items-center gap-1 rounded-lg border border-dashed border-control px-4 py-6 text-center focus-within:outline-2 focus-within:outline-accent',
        isOver && 'bg-accent-soft',
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <FileAudio className="size-6 text-muted" aria-hidden />
      <span className="font-medium">{t('transcribe.drop')}</span>
      <span className="text-sm text-muted">{t('transcribe.dropHint')}</span>
      <input
        type="file"
        accept="audio/*,video/webm,video/mp4,.ogg,.opus,.flac,.m4a"
        className="sr-only"
        onChange={({ target }) => {
          take(target.files);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
    </label>
  );
}
