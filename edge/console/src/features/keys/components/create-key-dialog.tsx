import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../../session/queries.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { keyFormSchema, type KeyForm, toKeyForm, toNewKey } from '../key-form.ts';
import { createKey } from '../queries/keys.ts';
import { CreatedKeyView } from './created-key-view.tsx';
import { NameField, NewKeyFields, QuotaFields } from './key-fields.tsx';

interface CreateKeyDialogProps {
  workspaceId: string;
  onClose: () => void;
}

/** Makes a key, and shows it this once. */
export function CreateKeyDialog({ workspaceId, onClose }: CreateKeyDialogProps) {
  const { t } = useTranslation('keys');
  const { data: session } = useSuspenseQuery(sessionQuery);
  const may = usePermissionCheck();
  const queries = useQueryClient();
  const mayChooseUser = may('keys.write', workspaceId);
  const form = useForm<KeyForm>({ resolver: zodResolver(keyFormSchema), defaultValues: toKeyForm(undefined, session.user.id) });
  const creation = useMutation({
    mutationFn: (filled: KeyForm) => createKey(workspaceId, { ...toNewKey(filled), user_id: mayChooseUser ? filled.userId : undefined }),
    onSuccess: async () => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes('keys') && queryKey[1] === workspaceId });
    },
    // The key is forgotten with the dialog.
    gcTime: 0,
  });
  if (creation.data) {
    return (
      <Dialog isOpen onClose={onClose} title={t('created.title')} description={t('created.once')} isDismissable={false} size="wide">
        <CreatedKeyView created={creation.data} />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            {t('created.done')}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={t('create')} description={t('createHint')} size="wide">
      <form
        onSubmit={(event) => void form.handleSubmit((filled) => creation.mutate(filled))(event)}
        noValidate
        className="flex flex-col gap-4"
      >
        <NameField form={form} />
        <NewKeyFields form={form} workspaceId={workspaceId} mayChooseUser={mayChooseUser} />
        <QuotaFields form={form} />
        {creation.error && <ProblemNote error={creation.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel', { ns: 'common' })}</Button>
          <Button type="submit" look="primary" isBusy={creation.isPending}>
            {t('create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
