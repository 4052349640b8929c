import { call } from '../harness/http.ts';
import { createProject } from '../harness/projects.ts';
import { type FaultOrder, Sandbox, type UpstreamChange } from '../harness/sandbox.ts';
import { exhaustAccount, spoilAccount } from '../harness/spoil-account.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { formRequest } from '../harness/upload.ts';
import { type ErrorTrigger, send } from './error-triggers.ts';
import { inAnother, ofOne } from './sync-error-triggers.ts';

const TOO_MANY_BYTES = 10 * 2 ** 20 + 1;
const onUpload = (fault: FaultOrder['fault']) => ofOne((_context, tenant) => onlyAccount(tenant).order({ fault, on: 'uploads' }));

/** A conversation to which something happened upstream, as a sync has found out. */
const after = (change: UpstreamChange) =>
  ofOne(async ({ gateway }, tenant, conversation) => {
    const [upstream] = (await onlyAccount(tenant).report()).conversations;
    await new Sandbox(() => gateway).change(upstream?.id ?? '', change);
    await call(gateway, 'POST', `/v1/conversations/${conversation}/sync`, { key: tenant.apiKey });
  });

const projectGone: ErrorTrigger = async (operation, context) => {
  const { gateway } = context;
  const tenant: Tenant = await makeTenant(() => gateway);
  const key = tenant.apiKey;
  const { id } = await createProject({ gateway, key }, { name: 'Doors' });
  const created = await call(gateway, 'POST', '/v1/conversations', { key, body: { upstream_project_id: id } });
  await call(gateway, 'DELETE', `/v1/projects/${id}`, { key });
  return send(inAnother(context, tenant, (created.json as { id: string }).id), operation);
};

/** What giving a file to the account of a conversation may end with, by status and code. */
export const ATTACHMENT_ERRORS: Readonly<Record<string, ErrorTrigger>> = {
  '400 UNSUPPORTED_FILE_TYPE': (operation, context) =>
    send(context, operation, formRequest({ name: 'doors.exe', bytes: Buffer.from('MZ\x90\x00\x03', 'latin1') })),
  '413 FILE_TOO_LARGE': (operation, context) =>
    send(context, operation, formRequest({ name: 'doors.txt', bytes: Buffer.alloc(TOO_MANY_BYTES, 'x') })),
  '502 UPLOAD_FAILED': onUpload('server_error'),
  '403 UPSTREAM_ACCOUNT_NOT_AUTHORIZED': onUpload('upgrade_required'),
  '403 ACCOUNT_REAUTH_REQUIRED': onUpload('session_expired'),
  '409 ACCOUNT_NOT_ACTIVE': ofOne(({ operator }, tenant) =>
    operator.updateConnection(onlyAccount(tenant).connectionId, tenant.workspaceId, { enabled: false }),
  ),
  '429 PROVIDER_RATE_LIMITED': ofOne(({ gateway }, tenant) => spoilAccount(gateway, tenant, 'rate_limited')),
  '419 CONVERSATION_SESSION_EXPIRED': ofOne(({ gateway }, tenant) => spoilAccount(gateway, tenant, 'session_expired')),
  '503 CONVERSATION_UPSTREAM_UNAVAILABLE': ofOne(({ gateway }, tenant) => exhaustAccount(gateway, tenant)),
  '410 CONVERSATION_DELETED_UPSTREAM': after('delete'),
  '403 CONVERSATION_ACCESS_LOST': after('lose-access'),
  '409 CONVERSATION_CONTINUITY_LOST': after('break-chain'),
  '409 CONVERSATION_PROJECT_UNAVAILABLE': projectGone,
};
