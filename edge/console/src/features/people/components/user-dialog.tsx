import { zodResolver } from '@hookform/resolvers/zod';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { sessionQuery } from '../../../session/queries.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { usePeopleMutation, type User } from '../queries/people.ts';
import { INSTANCE_ROLES } from '../queries/roles.ts';

const schema = z.object({
  display_name: z.string().trim().min(1, 'required').max(200, 'tooLong'),
  email: z.union([z.literal(''), z.email('email')]),
  instanceRole: z.enum(['owner', 'admin', 'auditor', 'none']),
  requires_second_factor: z.boolean(),
});
type Fields = z.output<typeof schema>;

/** Changes who a user is, the role for the whole gateway, and whether a second factor is demanded. */
export function UserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const { data: session } = useSuspenseQuery(sessionQuery);
  // A user cannot change their own role.
  const mayRole = may('instance_roles.write') && session.user.id !== user.id;
  const { register, trigger, getValues, formState } = useForm<Fields>({
    resolver: zodResolver(schema),
    defaultValues: {
      display_name: user.display_name,
      email: user.email ?? '',
      instanceRole: user.instance_role ?? 'none',
      requires_second_factor: user.requires_second_factor,
    },
  });
  const errorOf = useFieldErrors(formState.errors);
  const save = usePeopleMutation(({ email, instanceRole, ...fields }: Fields) => {
    const role = mayRole ? { instance_role: instanceRole === 'none' ? null : instanceRole } : {};
    return unwrap(
      adminClient.PATCH('/admin/v1/users/{id}', {
        params: { path: { id: user.id } },
        body: { ...fields, ...role, ...(email !== '' && email !== user.email && { email }) },
      }),
    );
  });
  return (
    <FormDialog
      title={t('users.changeTitle', { name: user.display_name })}
      submit={t('save')}
      validate={() => trigger(undefined, { shouldFocus: true })}
      onSubmit={() => save.mutateAsync(schema.parse(getValues()))}
      onClose={onClose}
    >
      <TextField label={t('name')} error={errorOf('display_name')} {...register('display_name')} />
      <TextField
        label={t('email')}
        hint={t('users.emailHint')}
        error={errorOf('email')}
        type="email"
        autoComplete="off"
        {...register('email')}
      />
      {mayRole && (
        <SelectField label={t('instanceRole')} hint={t('instanceRoleHint')} {...register('instanceRole')}>
          <option value="none">{t('roles.none')}</option>
          {INSTANCE_ROLES.map((name) => (
            <option key={name} value={name}>
              {t(`roles.${name}`)}
            </option>
          ))}
        </SelectField>
      )}
      <CheckField label={t('users.demand')} hint={t('users.demandHint')} {...register('requires_second_factor')} />
    </FormDialog>
  );
}
