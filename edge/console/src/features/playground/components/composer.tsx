import { clsx } from 'clsx';
import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';

/** Characters up to which text is in the box: browsers lay a longer one out whole with every key, for minutes where it has many lines. */
const IN_BOX = 20_000;

interface ComposerProps {
  text: string;
  onText: (text: string) => void;
  isAnswering: boolean;
  /** Files are on their way. */
  isWaiting: boolean;
  /** There is a text beside the box. */
  hasMore: boolean;
  onLongText: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
  onFiles: (files: Iterable<File>) => void;
}

/** Where a message is written: Enter sends, Shift and Enter begins a line, Escape stops the answer. The focus stays here. */
export function Composer({ text, onText, isAnswering, isWaiting, hasMore, onLongText, onSend, onStop, onFiles }: ComposerProps) {
  const { t } = useTranslation('playground');
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const canSend = (text.trim() !== '' || hasMore) && !isAnswering && !isWaiting;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the input of a word in another script is no Enter.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && isAnswering) onStop();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    if (canSend) onSend();
  };
  const onPaste = (event: ClipboardEvent) => {
    const { files } = event.clipboardData;
    const pasted = event.clipboardData.getData('text/plain');
    if (files.length === 0 && pasted.length <= IN_BOX) return;
    event.preventDefault();
    if (files.length > 0) onFiles(files);
    else onLongText(pasted);
  };
  const press = (command: () => void) => {
    command();
    box.current?.focus();
  };
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-1">
      <div className="flex items-end gap-2 rounded-xl border border-control bg-surface p-2 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            press(() => onFiles(target.files ?? []));
            target.value = '';
          }}
        />
        <Button look="ghost" size="icon" aria-label={t('attach')} title={t('attach')} onClick={() => picker.current?.click()}>
          <Paperclip className="size-4" aria-hidden />
        </Button>
        <textarea
          ref={box}
          aria-label={t('message')}
          placeholder={t('placeholder')}
          // The one thing that this screen is for.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          rows={text.length > IN_BOX ? 8 : 1}
          value={text}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          className={clsx(
            'max-h-[40dvh] min-h-9 flex-1 resize-none bg-transparent px-1 py-1.5 outline-none placeholder:text-muted',
            text.length <= IN_BOX && 'field-sizing-content',
          )}
        />
        {isAnswering ? (
          <Button look="danger" onClick={() => press(onStop)}>
            <Square className="size-3.5 fill-current" aria-hidden />
            {t('stop')}
          </Button>
        ) : (
          <Button look="primary" aria-disabled={!canSend} onClick={() => press(() => canSend && onSend())}>
            <ArrowUp className="size-4" aria-hidden />
            {t('send')}
          </Button>
        )}
      </div>
      <p className="hidden px-2 text-xs text-muted sm:block">{t('keys')}</p>
    </div>
  );
}
