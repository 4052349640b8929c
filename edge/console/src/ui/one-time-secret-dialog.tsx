import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Snippet } from './snippet.tsx';

interface OneTimeSecretDialogProps {
  title: string;
  /** Whom to give it to, and how long it counts. */
  description: ReactNode;
  /** What it is, for screen readers and the button that copies it. */
  label: string;
  secret: string;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog with a secret or a link that is not shown again: only its own button closes it. */
export function OneTimeSecretDialog({ title, description, label, secret, onClose, children }: OneTimeSecretDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description} isDismissable={false}>
      <div className="flex flex-col gap-3">
        <Snippet code={secret} label={label} />
        {children}
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t('haveCopied')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
