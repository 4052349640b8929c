import { type Call } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Connection, type UpdateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type AnyAccount } from '../accounts/account.ts';
import { concurrencyOf } from '../domain/concurrency.ts';
import { type AccountFacts, type ProviderAccount } from '../providers/provider-account.ts';
import { type ConnectionChange } from '../store/connections.ts';
import { requireBaseUrl, requireLabel } from './create-connection.ts';
import { type HandlerDeps } from './deps.ts';

/**
 * RPC UpdateConnection: relabels, enables, disables, bounds, or reconnects. New credentials or a new address are proven with the
 * upstream first, and clear an expired session. Throws CONNECTION_NOT_FOUND, VALIDATION_ERROR, or what the upstream's answer means.
 */
export async function updateConnection(deps: HandlerDeps, request: UpdateConnectionRequest, call: Call): Promise<Connection> {
  const { workspaceId } = call.caller;
  const account = await deps.accounts.findEvery(workspaceId, request.id);
  if (request.label !== undefined) requireLabel(request.label);
  if (request.baseUrl !== undefined) requireBaseUrl(request.baseUrl);
  const { purpose } = account.provider.traits;
  const reconnects = request.secret !== undefined || request.baseUrl !== undefined || request.account !== undefined;
  const change: ConnectionChange = {
    ...definedOf({ label: request.label, enabled: request.enabled, isDefault: request.isDefault }),
    ...(request.maxConcurrency !== undefined && { maxConcurrency: concurrencyOf(purpose, request.maxConcurrency) }),
    ...(reconnects && (await reconnect(deps, account, request))),
  };
  if (!(await deps.connections.update(workspaceId, account.id, change, deps.providers.namesFor(purpose))))
    throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection');
  await deps.accounts.changed(workspaceId);
  if (reconnects) deps.accounts.health.connected(account, true);
  deps.log.info({ connectionId: account.id, changed: Object.keys(change) }, 'connection updated');
  return (await deps.accounts.findEvery(workspaceId, account.id)).view();
}

async function reconnect(deps: HandlerDeps, account: AnyAccount, request: UpdateConnectionRequest): Promise<ConnectionChange> {
  const { provider, upstream } = account;
  const candidate: ProviderAccount = {
    id: account.id,
    baseUrl: request.baseUrl ?? upstream.baseUrl,
    account: request.account ?? upstream.account,
    secret: request.secret ?? upstream.secret,
  };
  const changed = { baseUrl: candidate.baseUrl, account: candidate.account };
  if (request.secret === undefined) {
    await provider.test(candidate);
    return changed;
  }
  const { secret, models } = await provider.connect(candidate).catch((error: unknown) => unlisted(account, candidate, error));
  return {
    ...changed,
    models: models.length > 0 && !account.row.modelsNamed ? models : account.row.models,
    secret: secret ? deps.secrets.seal(account.id, secret) : null,
  };
}

/** A server that lists no models was connected with models that the operator named: it has nothing to prove the key with. */
function unlisted({ provider, row }: AnyAccount, { secret }: ProviderAccount, error: unknown): AccountFacts {
  const { condition } = toGatewayError(error);
  if (provider.traits.trustsNamedModels && condition === 'INVALID_REQUEST') return { secret, models: row.models };
  throw error;
}

function definedOf<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
