import { type Call } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Connection, type UpdateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type AnyConnection } from '../connections/connection.ts';
import { type Deps } from '../deps.ts';
import { requireMaxConcurrency } from '../domain/concurrency.ts';
import { requireValidBaseUrl, requireValidLabel } from '../domain/connection-input.ts';
import { isModelListMissing } from '../domain/error-effects.ts';
import { requireValidModelSettings } from '../domain/model-choice.ts';
import { requirePassedParameters } from '../domain/passed-parameters.ts';
import { getBaseUrlForAccount } from '../providers/base-url.ts';
import { type ConnectResult, type UpstreamConnection } from '../providers/upstream-connection.ts';
import { changeConnection, type ConnectionChange } from '../store/connections.ts';

/**
 * RPC UpdateConnection: changes the label, state, concurrency, passed parameters, default model, aliases or credentials of a connection,
 * and returns it. New credentials or a new base URL are verified with the upstream first, and clear an expired session. Throws
 * CONNECTION_NOT_FOUND, VALIDATION_ERROR, or the coded error of the upstream.
 */
export async function updateConnection(deps: Deps, request: UpdateConnectionRequest, call: Call): Promise<Connection> {
  const { workspaceId } = call.caller;
  const connection = await deps.connections.getAny(workspaceId, request.id);
  if (request.label !== undefined) requireValidLabel(request.label);
  if (request.baseUrl !== undefined) requireValidBaseUrl(request.baseUrl);
  const { purpose } = connection.provider.traits;
  const reconnects = request.secret !== undefined || request.baseUrl !== undefined || request.account !== undefined;
  const change: ConnectionChange = {
    ...definedOf({ label: request.label, enabled: request.enabled, isDefault: request.isDefault }),
    ...(request.maxConcurrency !== undefined && { maxConcurrency: requireMaxConcurrency(purpose, request.maxConcurrency) }),
    ...(request.pass && { pass: requirePassedParameters(purpose, request.pass.names) }),
    ...definedOf({ defaultModel: request.defaultModel, aliases: request.aliases?.models }),
    ...(reconnects && (await reconnect(deps, connection, request))),
  };
  requireOffered(connection, change);
  if (!(await changeConnection(deps.store.database, { workspaceId, id: connection.id }, change, deps.providers.listNames(purpose))))
    throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection');
  await deps.connections.reloadAndNotify(workspaceId);
  if (reconnects) deps.connections.health.recordSuccessfulTest(connection, true);
  else if (request.enabled) deps.connections.health.recordEnabled(connection);
  deps.log.info({ requestId: call.caller.requestId, connectionId: connection.id, changed: Object.keys(change) }, 'connection updated');
  return (await deps.connections.getAny(workspaceId, connection.id)).toMessage();
}

async function reconnect(deps: Deps, connection: AnyConnection, request: UpdateConnectionRequest): Promise<ConnectionChange> {
  const { provider, upstream } = connection;
  const name = request.account ?? upstream.account;
  const candidate: UpstreamConnection = {
    id: connection.id,
    baseUrl: request.baseUrl ?? getBaseUrlForAccount(provider.traits, upstream, name),
    account: name,
    secret: request.secret ?? upstream.secret,
  };
  const hasSecret = request.secret !== undefined;
  const asked = hasSecret
    ? provider.connect(candidate)
    : provider.test(candidate).then(({ models }) => ({ models, secret: candidate.secret }));
  const { secret, models } = await asked.catch((error: unknown) => unlisted(connection, candidate, error));
  return {
    ...{ baseUrl: candidate.baseUrl, account: candidate.account, ...adopted(connection, models) },
    ...(hasSecret && { secret: secret ? deps.secrets.seal(connection.id, secret) : null }),
  };
}

/** Returns the change that stores the models that the upstream lists; empty when it lists none or the operator named the models. */
function adopted({ row }: AnyConnection, models: string[]): ConnectionChange {
  return models.length > 0 && !row.modelsNamed ? { models } : {};
}

/** Throws unless the models that this request names are offered; models of earlier requests may no longer be. */
function requireOffered(
  { row, provider }: AnyConnection,
  { models = row.models, defaultModel = '', aliases = {} }: ConnectionChange,
): void {
  requireValidModelSettings(provider.traits.purpose, { models, defaultModel, aliases });
}

/**
 * Accepts a server without a model list that was connected with named models: there is no request to verify its key with. Else rethrows.
 */
function unlisted({ provider, row }: AnyConnection, { secret }: UpstreamConnection, error: unknown): ConnectResult {
  if (provider.traits.trustsNamedModels && isModelListMissing(toGatewayError(error))) return { secret, models: row.models };
  throw error;
}

function definedOf<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
