import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { usePeopleMutation } from '../queries/people.ts';
import { useGrantableRoles } from '../queries/roles.ts';

const schema = z.object({
  display_name: z.string().trim().min(1, 'required').max(200, 'tooLong'),
  email: z.union([z.literal(''), z.email('email')]),
  role: z.enum(['owner', 'admin', 'member', 'viewer']),
});
type Fields = z.output<typeof schema>;

/** Makes a user without an invitation, as a member of the workspace. */
export function NewUserDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const { t } = useTranslation('people');
  const { register, trigger, getValues, formState } = useForm<Fields>({
    resolver: zodResolver(schema),
    defaultValues: { display_name: '', email: '', role: 'member' },
  });
  const errorOf = useFieldErrors(formState.errors);
  const roles = useGrantableRoles(workspaceId);
  const create = usePeopleMutation(({ email, ...fields }: Fields) =>
    unwrap(adminClient.POST('/admin/v1/users', { body: { ...fields, workspace_id: workspaceId, ...(email !== '' && { email }) } })),
  );
  return (
    <FormDialog
      title={t('users.newTitle')}
      description={t('users.newText')}
      submit={t('users.create')}
      validate={() => trigger(undefined, { shouldFocus: true })}
      onSubmit={() => create.mutateAsync(schema.parse(getValues()))}
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
      <SelectField label={t('role')} {...register('role')}>
        {roles.map((name) => (
          <option key={name} value={name}>
            {t(`roles.${name}`)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
