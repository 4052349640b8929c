import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CheckField, TextArea, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type ConnectionChange, useChangeConnection } from '../queries/connection-mutations.ts';
import { type Connection } from '../queries/connections.ts';
import { CONNECTION_LABEL_PATTERN } from './connection-label.ts';
import { formatModelAliases, parseModelAliases, parseNameList } from './parse-names.ts';

const form = z.object({
  label: z.string().regex(CONNECTION_LABEL_PATTERN),
  base_url: z.union([z.literal(''), z.url()]),
  max_concurrency: z.string().regex(/^(|[1-9]\d{0,3})$/),
  default_model: z.string().max(200),
  aliases: z.string().refine((text) => parseModelAliases(text) !== undefined),
  pass: z.string(),
  is_default: z.boolean(),
});
type Typed = z.infer<typeof form>;

/** What a connection is called, where it is, how much it takes, and what its models are called. */
export function ConnectionSettings({ workspaceId, connection }: { workspaceId: string; connection: Connection }) {
  const { t } = useTranslation('connections');
  const change = useChangeConnection(workspaceId, connection.id);
  const { register, handleSubmit, formState, reset } = useForm<Typed>({
    resolver: zodResolver(form),
    // What others change is taken over, except in fields that are being edited.
    values: toTyped(connection),
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, dirtyFields, isDirty } = formState;
  const submit = handleSubmit(async (typed) => {
    const wanted = toChange(typed);
    const changed = Object.keys(dirtyFields) as (keyof Typed)[];
    const body = Object.fromEntries(changed.map((name) => [name, wanted[name]])) as ConnectionChange;
    const now = await change.mutateAsync(body).catch(() => undefined);
    if (!now) return;
    reset(toTyped(now));
    announce(t('settings.saved'));
  });
  return (
    <Card title={t('settings.title')}>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-3xl flex-col gap-4" autoComplete="off" noValidate>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('fields.label')}
            hint={t('settings.labelHint')}
            error={errors.label && t('fields.labelWrong')}
            spellCheck={false}
            {...register('label')}
          />
          <TextField
            label={t('fields.baseUrl')}
            hint={t('settings.baseUrlHint')}
            error={errors.base_url && t('fields.baseUrlWrong')}
            type="url"
            {...register('base_url')}
          />
          <TextField
            label={t('fields.maxConcurrency')}
            hint={t('fields.maxConcurrencyHint')}
            error={errors.max_concurrency && t('fields.maxConcurrencyWrong')}
            inputMode="numeric"
            {...register('max_concurrency')}
          />
          <TextField
            label={t('fields.defaultModel')}
            hint={t('fields.defaultModelHint')}
            error={errors.default_model?.message}
            list={`models-of-${connection.id}`}
            {...register('default_model')}
          />
          <datalist id={`models-of-${connection.id}`}>
            {connection.models?.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </div>
        <TextArea
          label={t('fields.aliases')}
          hint={t('fields.aliasesHint')}
          error={errors.aliases && t('fields.aliasesWrong')}
          rows={3}
          spellCheck={false}
          className="font-mono text-sm"
          {...register('aliases')}
        />
        <TextField label={t('fields.pass')} hint={t('fields.passHint')} spellCheck={false} {...register('pass')} />
        <CheckField label={t('fields.isDefault')} hint={t('fields.isDefaultHint')} {...register('is_default')} />
        {change.error && <ProblemNote error={change.error} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" isBusy={change.isPending} disabled={!isDirty}>
            {t('settings.save')}
          </Button>
          {isDirty && <Button onClick={() => reset(toTyped(connection))}>{t('settings.undo')}</Button>}
        </div>
      </form>
    </Card>
  );
}

function toTyped({ label, base_url, max_concurrency, default_model, aliases = {}, pass = [], is_default }: Connection): Typed {
  return {
    label,
    base_url: base_url ?? '',
    max_concurrency: max_concurrency ? String(max_concurrency) : '',
    default_model: default_model ?? '',
    aliases: formatModelAliases(aliases),
    pass: pass.join(', '),
    is_default,
  };
}

function toChange({ label, base_url, max_concurrency, default_model, aliases, pass, is_default }: Typed) {
  return {
    label,
    base_url,
    max_concurrency: max_concurrency ? Number(max_concurrency) : null,
    default_model: default_model.trim() || null,
    aliases: parseModelAliases(aliases) ?? {},
    pass: parseNameList(pass),
    is_default,
  } satisfies ConnectionChange;
}
