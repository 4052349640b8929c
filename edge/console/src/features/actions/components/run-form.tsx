import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../../api/problem.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type ActionDetail, type ActionInput, apiConnectionsQuery } from '../queries/catalog.ts';
import { type Run, startRun, uploadInput } from '../queries/runs.ts';
import { InputField } from './input-field.tsx';
import { findInputOfParam, type RawValue, parseInput } from './parse-input.ts';

interface RunFormProps {
  workspaceId: string;
  action: ActionDetail;
  onStarted: (run: Run) => void;
}

/** By the place of the input, since names may have dots. */
interface Values {
  inputs: RawValue[];
  connectionId: string;
}

/** A form of what the action takes; its files are uploaded when it is sent. */
export function RunForm({ workspaceId, action, onStarted }: RunFormProps) {
  const { t } = useTranslation('actions');
  const queries = useQueryClient();
  const attempt = useRef({ text: '', key: '' });
  const form = useForm<Values>({ defaultValues: { inputs: action.inputs.map(() => ''), connectionId: '' } });
  const { errors } = form.formState;
  const start = useMutation({
    mutationFn: async ({ inputs, connectionId }: Values) => {
      const input = await readAll(workspaceId, action, inputs);
      const text = JSON.stringify([input, connectionId]);
      // The same once more is the same run, in case the answer was lost.
      if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() };
      const { key: idempotencyKey } = attempt.current;
      return startRun(workspaceId, action.slug, { input, connectionId: connectionId || undefined, idempotencyKey });
    },
    onSuccess: async (run) => {
      attempt.current = { text: '', key: '' };
      onStarted(run);
      await queries.invalidateQueries({ queryKey: workspaceQueryKey(workspaceId, 'action-runs') });
    },
    onError: (error) => {
      const { param, message } = asProblem(error);
      const names = action.inputs.map(({ name }) => name);
      const named = findInputOfParam(param, names);
      if (named !== undefined) form.setError(`inputs.${names.indexOf(named)}`, { message });
    },
  });
  const check = (input: ActionInput) => (raw: RawValue) => {
    const reading = parseInput(input, raw);
    return typeof reading === 'object' && 'fault' in reading ? t(`faults.${reading.fault}`) : true;
  };
  return (
    <Card title={t('form.title')}>
      <form
        noValidate
        aria-label={t('form.title')}
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit((values) => start.mutate(values))(event)}
      >
        {action.inputs.length === 0 && <p className="text-sm text-muted">{t('noInputs')}</p>}
        {action.inputs.map((input, index) => (
          <InputField
            key={input.name}
            input={input}
            control={form.register(`inputs.${index}`, { validate: check(input) })}
            error={errors.inputs?.[index]?.message}
          />
        ))}
        {action.requires_connection && <ConnectionField workspaceId={workspaceId} {...form.register('connectionId')} />}
        {start.error && <ProblemNote error={start.error} />}
        <div>
          <Button type="submit" look="primary" isBusy={start.isPending}>
            <Play className="size-4" aria-hidden />
            {t('form.run')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

async function readAll(workspaceId: string, { slug, inputs }: ActionDetail, raw: readonly RawValue[]): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [index, input] of inputs.entries()) {
    const reading = parseInput(input, raw[index]);
    if (typeof reading !== 'object') continue;
    if ('value' in reading) values[input.name] = reading.value;
    if ('file' in reading) values[input.name] = await uploadInput(workspaceId, slug, reading.file);
  }
  return values;
}

function ConnectionField({
  workspaceId,
  ...control
}: { workspaceId: string } & ReturnType<ReturnType<typeof useForm<Values>>['register']>) {
  const { t } = useTranslation('actions');
  const { data: connections = [], isPending, error, refetch } = useQuery(apiConnectionsQuery(workspaceId));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!isPending && connections.length === 0) {
    return (
      <p className="text-sm text-muted">
        {t('form.noConnection')}{' '}
        <Link to="/w/$workspaceId/connections" params={{ workspaceId }} className="text-accent underline">
          {t('form.toConnections')}
        </Link>
      </p>
    );
  }
  return (
    <SelectField {...control} label={t('columns.connection')} hint={t('form.connectionHint')}>
      <option value="">{t('form.anyConnection')}</option>
      {connections.map(({ id, label, status }) => (
        <option key={id} value={id} disabled={status === 'disabled'}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
