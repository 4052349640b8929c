import { type ConnectStep as StepMessage } from '@parley/protos/routing/v1/connect_flow';
import { type Connection, type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { type ConnectStep, getMaxLength } from '../domain/connect-step.ts';
import { type FlowRow } from '../store/connect-flows.ts';

const DONE = { kind: 'done', message: 'The account is connected.', fields: [], actions: [], url: '' } as const;

/** Converts an open flow to its API message. `tries`: maximum number of wrong answers per flow. */
export function toOpenConnectFlow(row: FlowRow, step: ConnectStep, tries: number): ConnectFlow {
  return { ...toFlow(row), step: toStep(row.step, step, tries - row.wrong) };
}

/** Converts a completed flow and its connection to the API message. */
export function toDoneConnectFlow(row: FlowRow, connection: Connection): ConnectFlow {
  return { ...toFlow(row), status: 'done', step: { ...DONE, number: row.step, triesLeft: 0, fields: [], actions: [] }, connection };
}

/** Converts a failed flow to its API message, without a step. */
export function toFailedConnectFlow(row: FlowRow): ConnectFlow {
  return toFlow(row);
}

function toFlow({ id, provider, reconnects, connectionId, status, expiresAt, reason }: FlowRow): ConnectFlow {
  return { id, provider, connectionId: reconnects ? connectionId : '', status, expiresAt, reason };
}

function toStep(number: number, { kind, message, fields, actions = [], url = '' }: ConnectStep, triesLeft: number): StepMessage {
  return {
    ...{ number, kind, message, triesLeft, url },
    fields: fields.map((field) => ({
      ...{ name: field.name, label: field.label, kind: field.kind, required: field.required },
      ...{ placeholder: field.placeholder ?? '', choices: [...(field.choices ?? [])], maxLength: getMaxLength(field) },
    })),
    actions: [...actions],
  };
}
