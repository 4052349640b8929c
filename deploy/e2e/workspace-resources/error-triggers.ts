import { randomUUID } from 'node:crypto';
import { type Answer, type Request } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { type Gateway } from '../harness/parley.ts';
import { REFUSED_KEYS } from '../harness/refused-keys.ts';
import { exhaustAccount, spoilAccount } from '../harness/spoil-account.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { formRequest } from '../harness/upload.ts';
import { makeResources, makeFailedAsset, makeProject } from './make-resources.ts';
import { type Ids, type Operation, perform } from './operations.ts';

/** Where an operation is asked for, so that it is refused. */
export interface TriggerContext {
  gateway: Gateway;
  tenant: Tenant;
  ids: Ids;
}

/** Makes an operation fail with one code; answers what it was answered with. */
export type ErrorTrigger = (operation: Operation, context: TriggerContext) => Promise<Answer>;

const TOO_MANY_BYTES = 10 * 2 ** 20 + 1;
/** What the upstream calls what an operation asks it for. */
const ASKED: Readonly<Record<string, string>> = {
  createProject: 'project_create',
  updateProject: 'project_update',
  deleteProject: 'project_delete',
  createProjectFile: 'sources',
  deleteProjectFile: 'source_delete',
};

/** Asks with something changed. */
const changed = (change: Request & { search?: string }): ErrorTrigger => {
  return (operation, { gateway, tenant, ids }) => perform(gateway, operation, ids, tenant.apiKey, change);
};
const naming = (change: Partial<Ids>): ErrorTrigger => {
  return (operation, { gateway, tenant, ids }) => perform(gateway, operation, { ...ids, ...change }, tenant.apiKey);
};
/** Asks in a workspace of its own, after `spoil` has been there. */
const inATenant = (spoil: (gateway: Gateway, tenant: Tenant, operation: Operation) => Promise<unknown>): ErrorTrigger => {
  return async (operation, { gateway }) => {
    const tenant = await makeTenant(() => gateway);
    const ids = await makeResources(operation, gateway, tenant);
    await spoil(gateway, tenant, operation);
    return perform(gateway, operation, ids, tenant.apiKey);
  };
};
const refused = (fault: string): ErrorTrigger =>
  inATenant((_gateway, tenant, { id }) => onlyAccount(tenant).order({ fault, on: ASKED[id] ?? '' }));

const taken: ErrorTrigger = async (operation, { gateway, tenant, ids }) => {
  const name = `Taken ${randomUUID()}`;
  await makeProject(gateway, tenant, name);
  return perform(gateway, operation, ids, tenant.apiKey, { body: { name, upstream_account_id: ids.account } });
};
const nowhere: ErrorTrigger = async (operation, { gateway, ids }) => {
  const { apiKey } = await makeTenant(() => gateway, []);
  return perform(gateway, operation, ids, apiKey, { body: { name: 'Doors' } });
};
const asStranger: ErrorTrigger = async (operation, { gateway, ids }) =>
  perform(gateway, operation, ids, (await makeTenant(() => gateway, [])).apiKey);
const failed: ErrorTrigger = async (operation, { gateway, tenant, ids }) =>
  perform(gateway, operation, { ...ids, asset: await makeFailedAsset(gateway, tenant) }, tenant.apiKey);
const ready: ErrorTrigger = async (operation, { gateway, tenant, ids }) => {
  const { asset } = await makeResources({ ...operation, id: 'getAsset' }, gateway, tenant);
  return perform(gateway, operation, { ...ids, asset }, tenant.apiKey);
};

const KEY_ERRORS: Readonly<Record<string, ErrorTrigger>> = Object.fromEntries(
  Object.entries(REFUSED_KEYS).map(([refusal, keyOf]) => [
    refusal,
    async (operation, { gateway, tenant, ids }) => perform(gateway, operation, ids, await keyOf({ gateway, tenant })),
  ]),
);

/** Errors of operations on projects and assets, by status and code. */
export const ERROR_TRIGGERS: Readonly<Record<string, ErrorTrigger>> = {
  ...KEY_ERRORS,
  '422 VALIDATION_ERROR': changed({ search: '?limit=1&limit=2' }),
  '415 unsupported_media_type': changed({ headers: { 'content-type': 'text/plain' } }),
  '413 request_too_large': changed({ body: { name: 'x'.repeat(2 ** 20) } }),
  '413 FILE_TOO_LARGE': changed(formRequest({ name: 'doors.txt', bytes: Buffer.alloc(TOO_MANY_BYTES, 'x') })),
  '400 UNSUPPORTED_FILE_TYPE': changed(formRequest({ name: 'doors.exe', bytes: Buffer.from('MZ\x90\x00\x03', 'latin1') })),
  '404 PROJECT_NOT_FOUND': naming({ project: randomUUID() }),
  '404 SOURCE_NOT_FOUND': naming({ source: randomUUID() }),
  '404 ASSET_NOT_FOUND': naming({ asset: randomUUID() }),
  '403 ASSET_ACCESS_DENIED': asStranger,
  '409 ASSET_NOT_READY': failed,
  '409 ASSET_NOT_RETRYABLE': ready,
  '416 range_not_satisfiable': changed({ headers: { range: 'bytes=9999999-' } }),
  '422 INVALID_MEMORY_POLICY': changed({ body: { name: 'Doors', memory_policy: 'everything' } }),
  '404 CONNECTION_NOT_FOUND': naming({ account: randomUUID() }),
  '403 ACCOUNT_NOT_CONNECTED': nowhere,
  '409 PROJECT_ALREADY_EXISTS': taken,
  '409 ACCOUNT_NOT_ACTIVE': inATenant((gateway, tenant) =>
    new Operator(() => gateway).updateConnection(onlyAccount(tenant).connectionId, tenant.workspaceId, { enabled: false }),
  ),
  '403 ACCOUNT_REAUTH_REQUIRED': refused('session_expired'),
  '503 ACCOUNT_REAUTH_REQUIRED': inATenant((gateway, tenant) => spoilAccount(gateway, tenant, 'session_expired')),
  '403 UPSTREAM_ACCOUNT_NOT_AUTHORIZED': refused('upgrade_required'),
  '429 PROVIDER_RATE_LIMITED': refused('rate_limited'),
  '503 NO_HEALTHY_SESSION': inATenant(exhaustAccount),
  '502 PROJECT_CREATE_FAILED': refused('server_error'),
  '502 PROJECT_UPDATE_FAILED': refused('server_error'),
  '502 UPLOAD_FAILED': refused('server_error'),
};
