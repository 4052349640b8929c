import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { keyFormSchema, type KeyForm, toKeyChange, toKeyForm } from '../key-form.ts';
import { type ApiKey, updateCachedKey, updateKey } from '../queries/keys.ts';
import { NameField, QuotaFields } from './key-fields.tsx';

interface EditKeyDialogProps {
  keyRow: ApiKey;
  workspaceId: string;
  /** By the rights of its owner, who can only lower its quotas. */
  isOwn: boolean;
  onClose: () => void;
}

/** Renames a key, and sets its quotas. */
export function EditKeyDialog({ keyRow, workspaceId, isOwn, onClose }: EditKeyDialogProps) {
  const { t } = useTranslation('keys');
  const queries = useQueryClient();
  const form = useForm<KeyForm>({ resolver: zodResolver(keyFormSchema), defaultValues: toKeyForm(keyRow, keyRow.user_id) });
  const update = useMutation({
    mutationFn: async (filled: KeyForm) => {
      const change = toKeyChange(filled, keyRow);
      return Object.keys(change).length === 0 ? keyRow : updateKey(keyRow, isOwn, change);
    },
    onSuccess: (key) => {
      updateCachedKey(queries, workspaceId, key);
      announce(t('saved', { name: key.name }));
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={t('edit')} description={isOwn ? t('editOwnHint') : t('editHint')}>
      <form
        onSubmit={(event) => void form.handleSubmit((filled) => update.mutate(filled))(event)}
        noValidate
        className="flex flex-col gap-4"
      >
        <NameField form={form} />
        <QuotaFields form={form} />
        {update.error && <ProblemNote error={update.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel', { ns: 'common' })}</Button>
          <Button type="submit" look="primary" isBusy={update.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
