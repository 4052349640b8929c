import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { useCreateWorkspace } from '../queries/workspaces.ts';

/** A new workspace. It begins without people, so one is led to where they are invited. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('settings');
  const navigate = useNavigate();
  const create = useCreateWorkspace();
  const [name, setName] = useState('');
  const submit = () =>
    create.mutate(
      { name: name.trim() },
      {
        onSuccess: ({ id }) => {
          announce(t('workspaces.wasCreated', { name: name.trim() }));
          void navigate({ to: '/w/$workspaceId/people', params: { workspaceId: id } });
        },
      },
    );
  return (
    <Dialog isOpen onClose={onClose} title={t('workspaces.create')} description={t('workspaces.createText')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') submit();
        }}
      >
        <TextField label={t('workspaces.name')} maxLength={200} required value={name} onChange={({ target }) => setName(target.value)} />
        {create.error && <ProblemNote error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" disabled={name.trim() === ''} isBusy={create.isPending}>
            {t('workspaces.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
