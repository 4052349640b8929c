import { zodResolver } from '@hookform/resolvers/zod';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { type Control, type FieldErrors, useFieldArray, useForm, type UseFormRegister, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { useFieldErrors } from '../../../ui/field-errors.ts';
import { CheckField, Input, Select, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { everyWorkspaceQuery } from '../queries/every-workspace.ts';
import { type OidcProvider, usePeopleMutation } from '../queries/people.ts';
import {
  GATEWAY_MAPPING_TARGET,
  type ProviderFields,
  providerFieldsSchema,
  toProviderFields,
  toProviderChange,
} from '../queries/provider-fields.ts';
import { INSTANCE_ROLES, WORKSPACE_ROLES } from '../queries/roles.ts';

interface ProviderDialogProps {
  /** To change; without it, a new one. */
  provider?: OidcProvider;
  onClose: () => void;
}

/** Adds or changes an OpenID Connect provider. */
export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const { t } = useTranslation('people');
  const { register, control, trigger, getValues, formState } = useForm<ProviderFields>({
    resolver: zodResolver(providerFieldsSchema),
    defaultValues: toProviderFields(provider),
  });
  const errorOf = useFieldErrors(formState.errors);
  const slug = useWatch({ control, name: 'slug' });
  const save = usePeopleMutation((fields: ProviderFields) => {
    const rules = toProviderChange(fields);
    if (provider) return unwrap(adminClient.PATCH('/admin/v1/oidc-providers/{id}', { params: { path: { id: provider.id } }, body: rules }));
    const { name, clientId, issuer } = fields;
    return unwrap(
      adminClient.POST('/admin/v1/oidc-providers', { body: { ...rules, slug: fields.slug, name, client_id: clientId, issuer } }),
    );
  });
  return (
    <FormDialog
      size="wide"
      title={t(provider ? 'providers.changeTitle' : 'providers.newTitle', { name: provider?.name })}
      submit={t(provider ? 'save' : 'providers.create')}
      validate={() => trigger(undefined, { shouldFocus: true })}
      onSubmit={() => save.mutateAsync(providerFieldsSchema.parse(getValues()))}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('name')} hint={t('providers.nameHint')} error={errorOf('name')} {...register('name')} />
        <TextField
          label={t('providers.slug')}
          hint={t('providers.slugHint')}
          error={errorOf('slug')}
          readOnly={provider !== undefined}
          {...register('slug')}
        />
      </div>
      <div className="flex flex-col gap-1">
        <p className="text-sm">{t('providers.callbackText')}</p>
        <Snippet code={`${location.origin}/me/v1/sign-in/oidc/${slug || '…'}/callback`} label={t('providers.callback')} />
      </div>
      <TextField
        label={t('providers.issuer')}
        hint={t('providers.issuerHint')}
        error={errorOf('issuer')}
        readOnly={provider !== undefined}
        {...register('issuer')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('providers.clientId')} error={errorOf('clientId')} autoComplete="off" {...register('clientId')} />
        <PasswordField
          label={t('providers.clientSecret')}
          hint={t(provider?.has_client_secret ? 'providers.secretKept' : 'providers.secretHint')}
          error={errorOf('clientSecret')}
          autoComplete="off"
          {...register('clientSecret')}
        />
        <TextField label={t('providers.scopes')} hint={t('providers.scopesHint')} error={errorOf('scopes')} {...register('scopes')} />
        <TextField label={t('providers.claim')} hint={t('providers.claimHint')} error={errorOf('groupClaim')} {...register('groupClaim')} />
      </div>
      <Mappings control={control} register={register} errors={formState.errors} />
      <CheckField label={t('providers.signUp')} hint={t('providers.signUpHint')} {...register('allowSignUp')} />
      <TextField label={t('providers.domains')} hint={t('providers.domainsHint')} error={errorOf('domains')} {...register('domains')} />
    </FormDialog>
  );
}

interface MappingsProps {
  control: Control<ProviderFields>;
  register: UseFormRegister<ProviderFields>;
  errors: FieldErrors<ProviderFields>;
}

/** Which group has which role where. */
function Mappings({ control, register, errors }: MappingsProps) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const { data: workspaces } = useSuspenseQuery(everyWorkspaceQuery);
  const { fields, append, remove } = useFieldArray({ control, name: 'mappings' });
  const chosen = useWatch({ control, name: 'mappings' });
  const first = workspaces[0]?.id ?? GATEWAY_MAPPING_TARGET;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm font-medium">{t('providers.mappings')}</legend>
      <p className="text-sm text-muted">{t('providers.mappingsHint')}</p>
      {fields.map(({ id }, place) => {
        const isGateway = chosen[place]?.place === GATEWAY_MAPPING_TARGET;
        const isWrong = errors.mappings?.[place] !== undefined;
        return (
          <div key={id} className="flex flex-col gap-1">
            <div className="flex flex-wrap items-center gap-2">
              <Input
                aria-label={t('providers.group')}
                placeholder={t('providers.group')}
                aria-invalid={isWrong || undefined}
                className="min-w-32 flex-1"
                {...register(`mappings.${place}.group`)}
              />
              <Select aria-label={t('providers.place')} className="max-w-48" {...register(`mappings.${place}.place`)}>
                {workspaces.map((workspace) => (
                  <option key={workspace.id} value={workspace.id}>
                    {workspace.name}
                  </option>
                ))}
                {may('instance_roles.write') && <option value={GATEWAY_MAPPING_TARGET}>{t('scope.gateway')}</option>}
              </Select>
              <Select aria-label={t('role')} {...register(`mappings.${place}.role`)}>
                {(isGateway ? INSTANCE_ROLES : WORKSPACE_ROLES).map((role) => (
                  <option key={role} value={role}>
                    {t(`roles.${role}`)}
                  </option>
                ))}
              </Select>
              <Button look="ghost" size="icon" aria-label={t('providers.removeMapping')} onClick={() => remove(place)}>
                <Trash2 className="size-4" aria-hidden />
              </Button>
            </div>
            {isWrong && <p className="text-sm text-bad">{t('providers.mappingWrong')}</p>}
          </div>
        );
      })}
      <Button size="small" className="self-start" onClick={() => append({ group: '', place: first, role: 'member' })}>
        <Plus className="size-4" aria-hidden />
        {t('providers.addMapping')}
      </Button>
    </fieldset>
  );
}
