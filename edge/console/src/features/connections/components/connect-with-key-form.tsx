import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { asProblem } from '../../../api/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { useCreateConnection } from '../queries/connection-mutations.ts';
import { type Connection } from '../queries/connections.ts';
import { connectProvidersQuery } from '../queries/flows.ts';
import { CONNECTION_LABEL_PATTERN } from './connection-label.ts';
import { parseNameList } from './parse-names.ts';

interface ConnectWithKeyFormProps {
  workspaceId: string;
  onMade: (connection: Pick<Connection, 'id' | 'label'>) => void;
  onCancel: () => void;
}

const form = z.object({
  provider: z.string().min(1),
  label: z.string().regex(CONNECTION_LABEL_PATTERN),
  base_url: z.union([z.literal(''), z.url()]),
  account: z.string().max(200),
  api_key: z.string().max(10_000),
  models: z.string(),
  max_concurrency: z.string().regex(/^(|[1-9]\d{0,3})$/),
  is_default: z.boolean(),
  take_back: z.boolean(),
});
type Typed = z.infer<typeof form>;
const EMPTY: Typed = {
  provider: '',
  label: '',
  base_url: '',
  account: '',
  api_key: '',
  models: '',
  max_concurrency: '',
  is_default: false,
  take_back: false,
};

/** Connects an account with one call: a key, and the settings of the connection. */
export function ConnectWithKeyForm({ workspaceId, onMade, onCancel }: ConnectWithKeyFormProps) {
  const { t } = useTranslation('connections');
  const providers = useQuery(connectProvidersQuery(workspaceId));
  const create = useCreateConnection(workspaceId);
  const { register, handleSubmit, formState, setError } = useForm<Typed>({ resolver: zodResolver(form), defaultValues: EMPTY });
  const { errors } = formState;
  const submit = handleSubmit(({ provider, label, base_url, account, api_key, models, max_concurrency, is_default, take_back }) =>
    create
      .mutateAsync({
        provider,
        label,
        account: account.trim(),
        models: parseNameList(models),
        is_default,
        take_back,
        pass: [],
        aliases: {},
        workspace_id: workspaceId,
        ...(base_url && { base_url }),
        ...(api_key.trim() && { api_key: api_key.trim() }),
        ...(max_concurrency && { max_concurrency: Number(max_concurrency) }),
      })
      .then(onMade)
      .catch((error: unknown) => {
        const { param } = asProblem(error);
        if (param !== undefined && param in EMPTY) setError(param as keyof Typed, { message: asProblem(error).message });
      }),
  );
  const said = (name: keyof Typed, wrong: string) =>
    errors[name] && (errors[name].type === 'invalid_format' ? wrong : errors[name].message);
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" autoComplete="off" noValidate>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={t('fields.provider')} error={errors.provider && t('fields.providerMissing')} {...register('provider')}>
          <option value="">{t('fields.choose')}</option>
          {providers.data?.map(({ provider, title }) => (
            <option key={provider} value={provider}>
              {title}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('fields.label')}
          hint={t('fields.labelHint')}
          error={said('label', t('fields.labelWrong'))}
          spellCheck={false}
          {...register('label')}
        />
        <TextField
          label={t('fields.baseUrl')}
          hint={t('fields.baseUrlHint')}
          error={errors.base_url && (errors.base_url.message?.startsWith('Invalid') ? t('fields.baseUrlWrong') : errors.base_url.message)}
          type="url"
          {...register('base_url')}
        />
        <TextField label={t('fields.account')} hint={t('fields.accountHint')} error={errors.account?.message} {...register('account')} />
        <TextField
          label={t('fields.apiKey')}
          hint={t('fields.apiKeyHint')}
          error={errors.api_key?.message}
          type="password"
          autoComplete="new-password"
          {...register('api_key')}
        />
        <TextField
          label={t('fields.maxConcurrency')}
          hint={t('fields.maxConcurrencyHint')}
          error={errors.max_concurrency && t('fields.maxConcurrencyWrong')}
          inputMode="numeric"
          {...register('max_concurrency')}
        />
      </div>
      <TextField label={t('fields.models')} hint={t('fields.modelsHint')} error={errors.models?.message} {...register('models')} />
      <CheckField label={t('fields.isDefault')} hint={t('fields.isDefaultHint')} {...register('is_default')} />
      <CheckField label={t('fields.takeBack')} hint={t('fields.takeBackHint')} {...register('take_back')} />
      {create.error && <ProblemNote error={create.error} />}
      <DialogActions>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {t('connect.create')}
        </Button>
      </DialogActions>
    </form>
  );
}
