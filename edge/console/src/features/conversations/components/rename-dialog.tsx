import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';

const form = z.object({ title: z.string().trim().min(1).max(200) });

interface RenameDialogProps {
  title: string;
  onRename: (title: string) => Promise<unknown>;
  onClose: () => void;
}

/** Gives a conversation another title. */
export function RenameDialog({ title, onRename, onClose }: RenameDialogProps) {
  const { t } = useTranslation('conversations');
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(form), defaultValues: { title } });
  const rename = useMutation({ mutationFn: onRename, onSuccess: onClose });
  return (
    <Dialog isOpen onClose={onClose} title={t('rename.title')}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => void handleSubmit((values) => rename.mutate(values.title))(event)}
      >
        <TextField label={t('rename.label')} error={formState.errors.title && t('rename.error')} {...register('title')} />
        {rename.error && <ProblemNote error={rename.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" isBusy={rename.isPending}>
            {t('rename.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
