import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { connectionLabelsQuery, useCreateProject } from '../queries/projects.ts';
import { MEMORY_POLICIES, MAX_INSTRUCTION_CHARACTERS } from './limits.ts';

interface CreateDialogProps {
  workspaceId: string;
  isOpen: boolean;
  onClose: () => void;
  onCreated: (projectId: string) => void;
}

const form = z.object({
  name: z.string().trim().min(1).max(200),
  instructions: z.string().max(MAX_INSTRUCTION_CHARACTERS),
  memory_policy: z.enum(MEMORY_POLICIES),
  upstream_account_id: z.string(),
});
type Typed = z.infer<typeof form>;
const EMPTY: Typed = { name: '', instructions: '', memory_policy: 'provider_default', upstream_account_id: '' };

/** Makes a project. */
export function CreateDialog({ workspaceId, isOpen, onClose, onCreated }: CreateDialogProps) {
  const { t } = useTranslation('projects');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('create.title')} description={t('create.lead')} isDismissable={false}>
      <CreateForm workspaceId={workspaceId} onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateForm({ workspaceId, onClose, onCreated }: Omit<CreateDialogProps, 'isOpen'>) {
  const { t } = useTranslation('projects');
  const { data: accounts } = useQuery(connectionLabelsQuery(workspaceId));
  const create = useCreateProject(workspaceId);
  const { register, handleSubmit, formState, watch } = useForm<Typed>({ resolver: zodResolver(form), defaultValues: EMPTY });
  const { errors } = formState;
  const submit = handleSubmit(({ name, instructions, memory_policy, upstream_account_id }) =>
    create
      .mutateAsync({
        name,
        memory_policy,
        ...(instructions && { instructions }),
        ...(upstream_account_id && { upstream_account_id }),
      })
      .then(({ id }) => {
        onClose();
        onCreated(id);
      })
      // Shown below.
      .catch(() => undefined),
  );
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
      <TextField label={t('name')} error={errors.name && t('nameWrong')} {...register('name')} />
      <TextArea
        label={t('instructions')}
        hint={t('instructionsHint')}
        error={errors.instructions && t('instructionsLong')}
        rows={5}
        {...register('instructions')}
      />
      <SelectField label={t('memory.title')} hint={t(`memory.${watch('memory_policy')}.text`)} {...register('memory_policy')}>
        {MEMORY_POLICIES.map((policy) => (
          <option key={policy} value={policy}>
            {t(`memory.${policy}.name`)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('account')} hint={t('accountHint')} {...register('upstream_account_id')}>
        <option value="">{t('anyAccount')}</option>
        {[...(accounts ?? [])].map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      {create.error && <ProblemNote error={create.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('common:cancel')}</Button>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {t('create.action')}
        </Button>
      </DialogActions>
    </form>
  );
}
