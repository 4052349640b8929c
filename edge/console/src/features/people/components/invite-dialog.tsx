import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { OneTimeSecretDialog } from '../../../ui/one-time-secret-dialog.tsx';
import { usePeopleMutation } from '../queries/people.ts';
import { INSTANCE_ROLES, useGrantableRoles } from '../queries/roles.ts';

const schema = z
  .object({
    email: z.email('email'),
    workspaceRole: z.enum(['owner', 'admin', 'member', 'viewer', 'none']),
    instanceRole: z.enum(['owner', 'admin', 'auditor', 'none']),
  })
  .refine((body) => body.workspaceRole !== 'none' || body.instanceRole !== 'none', { path: ['workspaceRole'], message: 'required' });
type Fields = z.output<typeof schema>;

interface InviteDialogProps {
  workspaceId: string;
  onClose: () => void;
}

/** Invites a person, and shows the link once. */
export function InviteDialog({ workspaceId, onClose }: InviteDialogProps) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const format = useFormatter();
  const roles = useGrantableRoles(workspaceId);
  const [made, setMade] = useState<{ url: string; email: string; expires_at: string }>();
  const { register, control, trigger, getValues, formState } = useForm<Fields>({
    resolver: zodResolver(schema),
    defaultValues: { email: '', workspaceRole: 'member', instanceRole: 'none' },
  });
  const errorOf = useFieldErrors(formState.errors);
  const chosen = useWatch({ control, name: 'workspaceRole' });
  const invite = usePeopleMutation(({ email, workspaceRole, instanceRole }: Fields) => {
    const place = workspaceRole === 'none' ? {} : { workspace_id: workspaceId, workspace_role: workspaceRole };
    const instance = instanceRole === 'none' ? {} : { instance_role: instanceRole };
    return unwrap(adminClient.POST('/admin/v1/invitations', { body: { email, ...place, ...instance } }));
  });
  if (made) {
    return (
      <OneTimeSecretDialog
        title={t('invitations.madeTitle')}
        description={t('invitations.madeText', { email: made.email, time: format.dateTime(made.expires_at) })}
        label={t('invitations.link')}
        secret={made.url}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={t('invitations.title')}
      description={t('invitations.text')}
      submit={t('invitations.submit')}
      validate={() => trigger(undefined, { shouldFocus: true })}
      onSubmit={() => invite.mutateAsync(getValues())}
      onDone={setMade}
      onClose={onClose}
    >
      <TextField label={t('email')} error={errorOf('email')} type="email" autoComplete="off" {...register('email')} />
      <SelectField
        label={t('invitations.workspaceRole')}
        hint={chosen === 'none' ? undefined : t(`roleHint.${chosen}`)}
        error={errorOf('workspaceRole')}
        {...register('workspaceRole')}
      >
        {roles.map((name) => (
          <option key={name} value={name}>
            {t(`roles.${name}`)}
          </option>
        ))}
        {may('instance_roles.write') && <option value="none">{t('roles.none')}</option>}
      </SelectField>
      {may('instance_roles.write') && (
        <SelectField label={t('instanceRole')} hint={t('instanceRoleHint')} {...register('instanceRole')}>
          <option value="none">{t('roles.none')}</option>
          {INSTANCE_ROLES.map((name) => (
            <option key={name} value={name}>
              {t(`roles.${name}`)}
            </option>
          ))}
        </SelectField>
      )}
    </FormDialog>
  );
}
