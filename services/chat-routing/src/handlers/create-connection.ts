import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type Connection, type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { concurrencyOf } from '../domain/concurrency.ts';
import { type ProviderAccount } from '../providers/provider-account.ts';
import { type HandlerDeps } from './deps.ts';

/** Labels travel in a header, so they are what a header can hold without quoting. */
const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * RPC CreateConnection: asks the upstream to open a session, then stores the account with its secret encrypted.
 * Throws VALIDATION_ERROR, or what the upstream's answer means; nothing is stored then.
 */
export async function createConnection(deps: HandlerDeps, request: CreateConnectionRequest, call: Call): Promise<Connection> {
  const { workspaceId } = call.caller;
  const { provider: name, label, account, secret, isDefault } = request;
  requireLabel(label);
  const provider = deps.providers.get(name);
  const baseUrl = request.baseUrl || (provider.traits.baseUrl ?? '');
  requireBaseUrl(baseUrl);
  const { purpose, trustsNamedModels } = provider.traits;
  if (purpose === 'api' && request.models.length > 0)
    throw new GatewayError('VALIDATION_ERROR', 'an API offers no models', { param: 'models' });
  const maxConcurrency = concurrencyOf(purpose, request.maxConcurrency ?? 0);
  const id = uuidv7();
  const candidate: ProviderAccount = { id, baseUrl, account, secret };
  // A server without a list of models is served with the models the operator names.
  const facts = request.models.length > 0 && trustsNamedModels ? { models: request.models, secret } : await provider.connect(candidate);
  const models = request.models.length > 0 ? request.models : facts.models;
  if (models.length === 0 && purpose !== 'api')
    throw new GatewayError('VALIDATION_ERROR', 'the account offers no models; name them', { param: 'models' });
  const sealed = facts.secret ? deps.secrets.seal(id, facts.secret) : null;
  const row = {
    id,
    workspaceId,
    label,
    provider: name,
    baseUrl,
    account,
    secret: sealed,
    models,
    modelsNamed: request.models.length > 0,
    isDefault,
    maxConcurrency,
  };
  await deps.connections.create(row, deps.providers.namesFor(purpose));
  await deps.accounts.changed(workspaceId);
  deps.log.info({ connectionId: id, label, provider: name }, 'connection created');
  return (await deps.accounts.findEvery(workspaceId, id)).view();
}

/** Throws VALIDATION_ERROR for a label that is no name. */
export function requireLabel(label: string): void {
  if (!LABEL.test(label))
    throw new GatewayError('VALIDATION_ERROR', 'a label is 1 to 64 letters, digits, dots, dashes and underscores', { param: 'label' });
}

/** Throws VALIDATION_ERROR for a base URL that is not http or https, or that carries credentials. */
export function requireBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new GatewayError('VALIDATION_ERROR', 'base_url must be an http or https URL without credentials or query', { param: 'base_url' });
  }
}
