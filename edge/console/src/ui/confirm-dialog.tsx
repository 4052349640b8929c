import { useMutation } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { ProblemNote } from './problem-note.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  /** The name of the command: "Revoke key", never "OK". */
  action: string;
  /** The dialog closes when it resolves, and shows why when it rejects. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before what cannot be undone. */
export function ConfirmDialog({ isOpen, onClose, title, children, action, onConfirm }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const command = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <div className="flex flex-col gap-3">
        <div>{children}</div>
        {command.error && <ProblemNote error={command.error} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button look="danger" isBusy={command.isPending} onClick={() => command.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
