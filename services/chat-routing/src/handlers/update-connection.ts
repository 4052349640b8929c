import { type Call } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Connection, type UpdateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type AnyAccount } from '../accounts/account.ts';
import { toConcurrency } from '../domain/concurrency.ts';
import { isUnlisted } from '../domain/failure.ts';
import { requireModelChoice } from '../domain/model-choice.ts';
import { requirePassed } from '../domain/passed-parameters.ts';
import { baseUrlAfter } from '../providers/base-url.ts';
import { type AccountFacts, type ProviderAccount } from '../providers/provider-account.ts';
import { type ConnectionChange } from '../store/connections.ts';
import { requireBaseUrl, requireLabel } from './create-connection.ts';
import { type HandlerDeps } from './deps.ts';

/**
 * RPC UpdateConnection: relabels, enables, disables, bounds, says what is passed on and what models are called, or reconnects. New credentials or a new address are proven with the
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
    ...(request.maxConcurrency !== undefined && { maxConcurrency: toConcurrency(purpose, request.maxConcurrency) }),
    ...(request.pass && { pass: requirePassed(purpose, request.pass.names) }),
    ...definedOf({ defaultModel: request.defaultModel, aliases: request.aliases?.models }),
    ...(reconnects && (await reconnect(deps, account, request))),
  };
  requireOffered(account, change);
  if (!(await deps.connections.update(workspaceId, account.id, change, deps.providers.namesFor(purpose))))
    throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection');
  await deps.accounts.changed(workspaceId);
  if (reconnects) deps.accounts.health.connected(account, true);
  else if (request.enabled) deps.accounts.health.enabled(account);
  deps.log.info({ connectionId: account.id, changed: Object.keys(change) }, 'connection updated');
  return (await deps.accounts.findEvery(workspaceId, account.id)).view();
}

async function reconnect(deps: HandlerDeps, account: AnyAccount, request: UpdateConnectionRequest): Promise<ConnectionChange> {
  const { provider, upstream } = account;
  const name = request.account ?? upstream.account;
  const candidate: ProviderAccount = {
    id: account.id,
    baseUrl: request.baseUrl ?? baseUrlAfter(provider.traits, upstream, name),
    account: name,
    secret: request.secret ?? upstream.secret,
  };
  const hasSecret = request.secret !== undefined;
  const asked = hasSecret
    ? provider.connect(candidate)
    : provider.test(candidate).then(({ models }) => ({ models, secret: candidate.secret }));
  const { secret, models } = await asked.catch((error: unknown) => unlisted(account, candidate, error));
  return {
    ...{ baseUrl: candidate.baseUrl, account: candidate.account, ...adopted(account, models) },
    ...(hasSecret && { secret: secret ? deps.secrets.seal(account.id, secret) : null }),
  };
}

/** What the upstream lists is what there is now, unless the operator named models. */
function adopted({ row }: AnyAccount, models: string[]): ConnectionChange {
  return models.length > 0 && !row.modelsNamed ? { models } : {};
}

/** Models that this request names must be offered; those of an earlier request may be gone. */
function requireOffered({ row, provider }: AnyAccount, { models = row.models, defaultModel = '', aliases = {} }: ConnectionChange): void {
  requireModelChoice(provider.traits.purpose, { models, defaultModel, aliases });
}

/** A server that lists no models was connected with models that the operator named: it has nothing to prove the key with. */
function unlisted({ provider, row }: AnyAccount, { secret }: ProviderAccount, error: unknown): AccountFacts {
  if (provider.traits.trustsNamedModels && isUnlisted(toGatewayError(error))) return { secret, models: row.models };
  throw error;
}

function definedOf<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
