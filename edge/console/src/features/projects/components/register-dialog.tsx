import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { connectionLabelsQuery, useRegisterProject } from '../queries/projects.ts';

interface RegisterDialogProps {
  workspaceId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Makes a project known that was made at the provider. */
export function RegisterDialog({ workspaceId, isOpen, onClose }: RegisterDialogProps) {
  const { t } = useTranslation('projects');
  const { data: accounts } = useQuery(connectionLabelsQuery(workspaceId));
  const register = useRegisterProject(workspaceId);
  const [account, setAccount] = useState('');
  const [reference, setReference] = useState('');
  const close = () => {
    register.reset();
    setReference('');
    onClose();
  };
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    register.mutate(
      { upstream_account_id: account, upstream_reference: reference.trim() },
      {
        onSuccess: ({ name }) => {
          announce(t('register.done', { name }));
          close();
        },
      },
    );
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={t('register.title')} description={t('register.lead')}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SelectField label={t('account')} required value={account} onChange={({ target }) => setAccount(target.value)}>
          <option value="">{t('chooseAccount')}</option>
          {[...(accounts ?? [])].map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('register.reference')}
          hint={t('register.referenceHint')}
          required
          maxLength={200}
          value={reference}
          onChange={({ target }) => setReference(target.value)}
        />
        {register.error && <ProblemNote error={register.error} />}
        <DialogActions>
          <Button onClick={close}>{t('common:cancel')}</Button>
          <Button type="submit" look="primary" isBusy={register.isPending} disabled={account === '' || reference.trim() === ''}>
            {t('register.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
