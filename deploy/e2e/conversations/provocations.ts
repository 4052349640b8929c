import { randomUUID } from 'node:crypto';
import { type Answer, call, type Request } from '../harness/http.ts';
import { type Operator } from '../harness/operator.ts';
import { type Gateway } from '../harness/parley.ts';
import { REFUSED_KEYS } from '../harness/refused-keys.ts';
import { type Ids, type Operation, pathOf, requestOf } from './operations.ts';
import { beginShared, type People, perform } from './people.ts';

/** Where an operation is asked for, so that it is refused. */
export interface Scene {
  gateway: Gateway;
  operator: Operator;
  people: People;
  ids: Ids;
}

/** Makes an operation fail with one code; answers what it was answered with. */
export type Provocation = (operation: Operation, scene: Scene) => Promise<Answer>;

/** Asks for an operation as the owner, with something changed. */
export const send = ({ gateway, ids, people }: Scene, operation: Operation, change: Request = {}, search = '') =>
  call(gateway, operation.method, pathOf(operation, ids) + search, { key: people.owner.key, ...requestOf(operation, ids), ...change });

const OF_KEYS: Readonly<Record<string, Provocation>> = Object.fromEntries(
  Object.entries(REFUSED_KEYS).map(([refusal, keyOf]) => [
    refusal,
    async (operation, { gateway, people, ids }) => perform(gateway, operation, ids, await keyOf({ gateway, tenant: people.tenant })),
  ]),
);

/** What any operation may be refused with (spec §5, §7), by status and code. */
export const OF_ANY: Readonly<Record<string, Provocation>> = {
  ...OF_KEYS,
  '422 VALIDATION_ERROR': (operation, scene) => send(scene, operation, {}, '?limit=1&limit=2'),
  '415 unsupported_media_type': (operation, scene) => send(scene, operation, { headers: { 'content-type': 'text/plain' } }),
  '413 request_too_large': (operation, scene) => send(scene, operation, { body: { title: 'x'.repeat(2 ** 20) } }),
  '404 CONVERSATION_NOT_FOUND': async (operation, scene) => {
    const ids = await beginShared(scene.gateway, scene.people);
    await call(scene.gateway, 'DELETE', `/v1/conversations/${ids.conversation}`, { key: scene.people.owner.key });
    return send({ ...scene, ids }, operation);
  },
  '403 CONVERSATION_ACCESS_DENIED': (operation, { gateway, ids, people }) => perform(gateway, operation, ids, people.grace.key),
  '404 MESSAGE_NOT_FOUND': (operation, scene) => send({ ...scene, ids: { ...scene.ids, message: randomUUID() } }, operation),
  '404 PARTICIPANT_NOT_FOUND': (operation, scene) => send({ ...scene, ids: { ...scene.ids, user: randomUUID() } }, operation),
};
