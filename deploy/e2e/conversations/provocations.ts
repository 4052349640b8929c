import { randomUUID } from 'node:crypto';
import { query } from '../harness/database.ts';
import { type Answer, call } from '../harness/http.ts';
import { type Operator } from '../harness/operator.ts';
import { type Parley } from '../harness/parley.ts';
import { makeTenant } from '../harness/tenant.ts';
import { type Ids, type Operation, pathOf } from './operations.ts';
import { beginShared, type People, perform } from './people.ts';

/** Where an operation is asked for, so that it is refused. */
export interface Scene {
  house: Parley;
  operator: Operator;
  people: People;
  ids: Ids;
}

/** Makes an operation fail with one code; answers what it was answered with. */
export type Provocation = (operation: Operation, scene: Scene) => Promise<Answer>;

/** Asks for an operation as the owner, with something changed. */
export const send = ({ house, ids, people }: Scene, operation: Operation, change: Parameters<typeof call>[3] = {}, search = '') =>
  call(house, operation.method, pathOf(operation, ids) + search, {
    key: people.owner.key,
    ...(operation.body && { body: operation.body(ids) }),
    ...change,
  });
const byKey = (make: (scene: Scene) => Promise<string | undefined> | string | undefined): Provocation => {
  return async (operation, scene) => perform(scene.house, operation, scene.ids, await make(scene));
};
const newKey = (fields: (scene: Scene) => Parameters<Operator['createKey']>[0]) => (scene: Scene) =>
  scene.operator.createKey({ workspace_id: scene.people.tenant.workspaceId, user_id: scene.people.owner.userId, ...fields(scene) });

/** What any operation may be refused with (spec §5, §7), by status and code. */
export const OF_ANY: Readonly<Record<string, Provocation>> = {
  '401 MISSING_API_KEY': byKey(() => undefined),
  '401 INVALID_API_KEY': byKey(() => 'gmk_live_wrong'),
  '401 EXPIRED_API_KEY': byKey(async (scene) => {
    const { id, key } = await newKey(() => ({}))(scene);
    await query(scene.house, `UPDATE edge.api_keys SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    return key;
  }),
  '401 REVOKED_API_KEY': byKey(async (scene) => {
    const { id, key } = await newKey(() => ({}))(scene);
    await scene.operator.revokeKey(id);
    return key;
  }),
  '401 USER_NOT_ACTIVE': byKey(async (scene) => {
    const user_id = await scene.operator.createUser(scene.people.tenant.workspaceId);
    const { key } = await newKey(() => ({ user_id }))(scene);
    await scene.operator.setUserStatus(user_id, 'disabled');
    return key;
  }),
  '403 workspace_disabled': byKey(async (scene) => {
    const { workspaceId, apiKey } = await makeTenant(() => scene.house, []);
    await scene.operator.setWorkspaceStatus(workspaceId, 'disabled');
    return apiKey;
  }),
  '403 MISSING_SCOPE': byKey(async (scene) => (await newKey(() => ({ scopes: ['chat', 'audio'] }))(scene)).key),
  '403 TENANT_ACCESS_DENIED': byKey(({ house }) => house.operatorKey),
  '422 VALIDATION_ERROR': (operation, scene) => send(scene, operation, {}, '?limit=1&limit=2'),
  '415 unsupported_media_type': (operation, scene) => send(scene, operation, { headers: { 'content-type': 'text/plain' } }),
  '413 request_too_large': (operation, scene) => send(scene, operation, { body: { title: 'x'.repeat(2 ** 20) } }),
  '404 CONVERSATION_NOT_FOUND': async (operation, scene) => {
    const ids = await beginShared(scene.house, scene.people);
    await call(scene.house, 'DELETE', `/v1/conversations/${ids.conversation}`, { key: scene.people.owner.key });
    return send({ ...scene, ids }, operation);
  },
  '403 CONVERSATION_ACCESS_DENIED': byKey(({ people }) => people.grace.key),
  '404 MESSAGE_NOT_FOUND': (operation, scene) => send({ ...scene, ids: { ...scene.ids, message: randomUUID() } }, operation),
  '404 PARTICIPANT_NOT_FOUND': (operation, scene) => send({ ...scene, ids: { ...scene.ids, user: randomUUID() } }, operation),
};
