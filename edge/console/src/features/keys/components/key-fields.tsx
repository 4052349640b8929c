import { useQuery } from '@tanstack/react-query';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { EXPIRIES, type KeyForm, QUOTA_METRICS, KEY_SCOPES } from '../key-form.ts';
import { membersQuery, internalProjectsQuery } from '../queries/keys.ts';
import { QuotaField } from './quota-field.tsx';

interface FieldsProps {
  form: UseFormReturn<KeyForm>;
}

/** What can be chosen only when a key is made. */
export function NewKeyFields({ form, workspaceId, mayChooseUser }: FieldsProps & { workspaceId: string; mayChooseUser: boolean }) {
  const { t } = useTranslation('keys');
  const { data: members } = useQuery({ ...membersQuery(workspaceId), enabled: mayChooseUser });
  const { data: projects = [] } = useQuery(internalProjectsQuery(workspaceId));
  const expiry = useWatch({ control: form.control, name: 'expiry' });
  const { register, formState } = form;
  const { scopes: scopesError, date: dateError } = formState.errors;
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">{t('form.scopes')}</legend>
        {KEY_SCOPES.map((scope) => (
          <CheckField key={scope} label={t(`scopes.${scope.replace(':', '_')}`)} value={scope} {...register('scopes')} />
        ))}
        {scopesError?.message && <p className="text-sm text-bad">{t(`form.${scopesError.message}`)}</p>}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={t('form.expiry')} {...register('expiry')}>
          {EXPIRIES.map((choice) => (
            <option key={choice} value={choice}>
              {t(`expiry.${choice}`)}
            </option>
          ))}
        </SelectField>
        {expiry === 'date' && (
          <TextField
            type="date"
            label={t('form.date')}
            error={dateError?.message && t(`form.${dateError.message}`)}
            {...register('date')}
          />
        )}
        {mayChooseUser && members && (
          <SelectField label={t('form.user')} hint={t('form.userHint')} {...register('userId')}>
            {members
              .filter(({ role, status }) => role !== 'viewer' && status === 'active')
              .map(({ user_id, display_name, email }) => (
                <option key={user_id} value={user_id}>
                  {email === null ? display_name : `${display_name} (${email})`}
                </option>
              ))}
          </SelectField>
        )}
        {projects.length > 0 && (
          <SelectField label={t('form.project')} hint={t('form.projectHint')} {...register('project')}>
            <option value="">{t('form.noProject')}</option>
            {projects.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
    </>
  );
}

/** The name of a key, and its quotas. */
export function NameField({ form }: FieldsProps) {
  const { t } = useTranslation('keys');
  const error = form.formState.errors.name?.message;
  return (
    <TextField
      label={t('form.name')}
      hint={t('form.nameHint')}
      error={error && t(`form.${error}`)}
      autoComplete="off"
      {...form.register('name')}
    />
  );
}

/** The quotas of a key. */
export function QuotaFields({ form }: FieldsProps) {
  const { t } = useTranslation('keys');
  const quotas = useWatch({ control: form.control, name: 'quotas' });
  const errors = form.formState.errors.quotas;
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border p-3">
      <legend className="px-1 text-sm font-medium">{t('form.quotas')}</legend>
      <p className="text-sm text-muted">{t('form.quotasHint')}</p>
      {QUOTA_METRICS.map((metric) => (
        <QuotaField
          key={metric}
          metric={metric}
          kind={quotas[metric].kind}
          register={form.register}
          error={errors?.[metric] && t('form.quotaInvalid')}
        />
      ))}
    </fieldset>
  );
}
