import { useMutation } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { ProblemNote } from './problem-note.tsx';

interface FormDialogProps<T> {
  title: string;
  description?: ReactNode;
  /** The name of the command: "Invite", never "OK". */
  submit: string;
  size?: 'normal' | 'wide';
  /** False while something is missing. @default true */
  isReady?: boolean;
  /** Says whether all fields are as they have to be, and shows which are not. */
  validate?: () => Promise<boolean>;
  /** Does it; the dialog shows why when it rejects. */
  onSubmit: () => Promise<T>;
  /** When it came about; without it the dialog closes. */
  onDone?: (answer: T) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Fields over the page, with one command. A stray click does not lose what was typed. */
export function FormDialog<T>(props: FormDialogProps<T>) {
  const { title, description, submit, size, isReady = true, validate, onSubmit, onDone, onClose, children } = props;
  const { t } = useTranslation();
  const command = useMutation({
    mutationFn: async () => {
      if (validate && !(await validate())) return;
      const answer = await onSubmit();
      if (onDone) onDone(answer);
      else onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description} {...(size && { size })} isDismissable={false}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog over this one is a form of its own.
          event.stopPropagation();
          if (isReady) command.mutate();
        }}
      >
        {children}
        {command.error && <ProblemNote error={command.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" disabled={!isReady} isBusy={command.isPending}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
