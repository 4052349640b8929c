import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

/** What a window over the page is given. */
export interface DialogWindowProps {
  onClose: () => void;
  title: string;
  /** What it is for, under the title. */
  description?: ReactNode;
  /** False: only its own buttons close it, so that nothing is lost by a stray click. @default true */
  isDismissable?: boolean;
  size?: 'normal' | 'wide';
  children: ReactNode;
}

/** A window over the page that keeps the focus until it is closed; loaded with the first one that opens. */
export default function DialogWindow({ onClose, title, description, isDismissable = true, size = 'normal', children }: DialogWindowProps) {
  const { t } = useTranslation();
  const keep = (event: Event) => {
    if (!isDismissable) event.preventDefault();
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          onInteractOutside={keep}
          onEscapeKeyDown={keep}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={clsx(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[92dvh] w-[calc(100%-1.5rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border bg-raised shadow-xl',
            size === 'wide' ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <div>
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>}
            </div>
            {isDismissable && (
              <Radix.Close asChild>
                <Button look="ghost" size="icon" aria-label={t('close')} className="-me-2">
                  <X className="size-4" aria-hidden />
                </Button>
              </Radix.Close>
            )}
          </div>
          <div className="overflow-y-auto px-5 pt-3 pb-5">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
