import { randomUUID } from 'node:crypto';
import { type Answer, call, type Request } from '../harness/http.ts';
import { type Operator } from '../harness/operator.ts';
import { type Gateway } from '../harness/parley.ts';
import { REFUSED_KEYS } from '../harness/refused-keys.ts';
import { type Ids, type Operation, pathOf, requestOf } from './operations.ts';
import { beginShared, type People, perform } from './people.ts';

/** Where an operation is asked for, so that it is refused. */
export interface TriggerContext {
  gateway: Gateway;
  operator: Operator;
  people: People;
  ids: Ids;
}

/** Makes an operation fail with one code; answers what it was answered with. */
export type ErrorTrigger = (operation: Operation, context: TriggerContext) => Promise<Answer>;

/** Asks for an operation as the owner, with something changed. */
export const send = ({ gateway, ids, people }: TriggerContext, operation: Operation, change: Request = {}, search = '') =>
  call(gateway, operation.method, pathOf(operation, ids) + search, { key: people.owner.key, ...requestOf(operation, ids), ...change });

const KEY_ERRORS: Readonly<Record<string, ErrorTrigger>> = Object.fromEntries(
  Object.entries(REFUSED_KEYS).map(([refusal, keyOf]) => [
    refusal,
    async (operation, { gateway, people, ids }) => perform(gateway, operation, ids, await keyOf({ gateway, tenant: people.tenant })),
  ]),
);

/** Errors of every operation, by status and code. */
export const COMMON_ERRORS: Readonly<Record<string, ErrorTrigger>> = {
  ...KEY_ERRORS,
  '422 VALIDATION_ERROR': (operation, context) => send(context, operation, {}, '?limit=1&limit=2'),
  '415 unsupported_media_type': (operation, context) => send(context, operation, { headers: { 'content-type': 'text/plain' } }),
  '413 request_too_large': (operation, context) => send(context, operation, { body: { title: 'x'.repeat(2 ** 20) } }),
  '404 CONVERSATION_NOT_FOUND': async (operation, context) => {
    const ids = await beginShared(context.gateway, context.people);
    await call(context.gateway, 'DELETE', `/v1/conversations/${ids.conversation}`, { key: context.people.owner.key });
    return send({ ...context, ids }, operation);
  },
  '403 CONVERSATION_ACCESS_DENIED': (operation, { gateway, ids, people }) => perform(gateway, operation, ids, people.grace.key),
  '404 MESSAGE_NOT_FOUND': (operation, context) => send({ ...context, ids: { ...context.ids, message: randomUUID() } }, operation),
  '404 PARTICIPANT_NOT_FOUND': (operation, context) => send({ ...context, ids: { ...context.ids, user: randomUUID() } }, operation),
};
