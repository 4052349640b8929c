import { type ConnectProvider, type ConnectStep } from '@parley/protos/routing/v1/connect_flow';
import { type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { adminConnection, toAdminConnection } from './connection.ts';
import { toTimestamp } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

const STATUSES = ['open', 'done', 'failed'] as const;
const STEP_KINDS = ['text', 'password', 'one_time_code', 'choice', 'redirect', 'done'] as const;
const FIELD_KINDS = ['text', 'url', 'password', 'one_time_code', 'choice'] as const;
const PURPOSES = ['chat', 'speech', 'transcription', 'api'] as const;

/** A provider whose accounts can be connected step by step. */
export const connectProvider = z
  .object({ provider: z.string(), title: z.string().meta({ description: 'Name for people.' }), purpose: z.enum(PURPOSES) })
  .meta({ id: 'ConnectProvider' });

const option = z.object({ value: z.string(), label: z.string() });

const connectStep = z
  .object({
    number: z.int().meta({ description: 'Counts up whenever the flow asks for something else; to be sent with the answer.' }),
    kind: z.enum(STEP_KINDS),
    message: z.string().meta({ description: 'What to do, in plain words.' }),
    fields: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        kind: z.enum(FIELD_KINDS),
        required: z.boolean(),
        placeholder: z.string().nullable(),
        choices: z.array(option),
        max_length: z.int(),
      }),
    ),
    actions: z.array(z.object({ name: z.string(), label: z.string() })).meta({ description: 'What can be done instead of an answer.' }),
    tries_left: z.int().meta({ description: 'Wrong answers that are still taken.' }),
    url: z.string().nullable().meta({ description: 'Of a redirect: where the person goes on.' }),
  })
  .meta({ id: 'ConnectStep' });

/** The state of a flow that connects an account. It never contains what the person entered. */
export const connectFlow = z
  .object({
    id: z.uuid(),
    provider: z.string(),
    connection_id: z.string().nullable().meta({ description: 'The connection that is reconnected; null for a new one.' }),
    status: z.enum(STATUSES),
    expires_at: z.iso.datetime(),
    step: connectStep.nullable().meta({ description: 'Null for a flow that has failed.' }),
    connection: adminConnection.nullable().meta({ description: 'Of a flow that is done.' }),
    reason: z.string().nullable().meta({ description: 'Why a flow has failed.' }),
  })
  .meta({ id: 'ConnectFlow' });

/** Converts a provider to its JSON form. */
export function toConnectProvider({ provider, title, purpose }: ConnectProvider): z.input<typeof connectProvider> {
  return { provider, title, purpose: toKnownValue(PURPOSES, purpose, 'api') };
}

/** Converts a flow to its JSON form. */
export function toConnectFlow({
  id,
  provider,
  connectionId,
  status,
  expiresAt,
  step,
  connection,
  reason,
}: ConnectFlow): z.input<typeof connectFlow> {
  return {
    id,
    provider,
    connection_id: connectionId || null,
    status: toKnownValue(STATUSES, status, 'failed'),
    expires_at: toTimestamp(expiresAt ?? new Date(0)),
    step: step ? toStep(step) : null,
    connection: connection ? toAdminConnection(connection) : null,
    reason: reason || null,
  };
}

function toStep({ number, kind, message, fields, actions, triesLeft, url }: ConnectStep): z.input<typeof connectStep> {
  return {
    ...{ number, kind: toKnownValue(STEP_KINDS, kind, 'text'), message, actions, tries_left: triesLeft, url: url || null },
    fields: fields.map((field) => ({
      ...{ name: field.name, label: field.label, kind: toKnownValue(FIELD_KINDS, field.kind, 'text'), required: field.required },
      ...{ placeholder: field.placeholder || null, choices: field.choices, max_length: field.maxLength },
    })),
  };
}
