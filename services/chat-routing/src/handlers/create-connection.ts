import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type Connection, type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { requireMaxConcurrency } from '../domain/concurrency.ts';
import { requireValidBaseUrl, requireValidLabel } from '../domain/connection-input.ts';
import { requireValidModelSettings } from '../domain/model-choice.ts';
import { requirePassedParameters } from '../domain/passed-parameters.ts';
import { defaultBaseUrl } from '../providers/base-url.ts';
import { type UpstreamConnection } from '../providers/upstream-connection.ts';
import { insertConnection } from '../store/connections.ts';
import { takeBackConversations } from './take-back-conversations.ts';

/**
 * RPC CreateConnection: verifies the credentials with the upstream, then stores the connection with its secret encrypted. With `take_back`,
 * the conversations of removed connections with this label are bound to it; otherwise they are only counted. Throws VALIDATION_ERROR, the
 * coded error of the upstream, or SERVICE_UNAVAILABLE when conversations could not be taken back; the connection is not kept then.
 */
export async function createConnection(deps: Deps, request: CreateConnectionRequest, call: Call): Promise<Connection> {
  const { workspaceId } = call.caller;
  const { provider: name, label, account, secret, isDefault } = request;
  requireValidLabel(label);
  const provider = deps.providers.get(name);
  const baseUrl = request.baseUrl || defaultBaseUrl(provider.traits, account);
  requireValidBaseUrl(baseUrl);
  const { purpose, trustsNamedModels } = provider.traits;
  if (purpose === 'api' && request.models.length > 0)
    throw new GatewayError('VALIDATION_ERROR', 'an API offers no models', { param: 'models' });
  const maxConcurrency = requireMaxConcurrency(purpose, request.maxConcurrency ?? 0);
  const pass = requirePassedParameters(purpose, request.pass);
  if (request.takeBack && purpose !== 'chat')
    throw new GatewayError('VALIDATION_ERROR', 'conversations are of connections that chats run on', { param: 'take_back' });
  const id = uuidv7();
  const candidate: UpstreamConnection = { id, baseUrl, account, secret };
  // A server without a model list is used with the models that the operator names, without verification.
  const isTrusted = request.models.length > 0 && trustsNamedModels;
  const facts = isTrusted ? { models: request.models, secret } : await provider.connect(candidate);
  const models = request.models.length > 0 ? request.models : facts.models;
  if (models.length === 0 && purpose !== 'api')
    throw new GatewayError('VALIDATION_ERROR', 'the account offers no models; name them', { param: 'models' });
  const { defaultModel, aliases } = request;
  requireValidModelSettings(purpose, { models, defaultModel, aliases });
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
    ...{ isDefault, maxConcurrency, pass, defaultModel, aliases },
  };
  await insertConnection(deps.store.database, row, deps.providers.listNames(purpose));
  await deps.connections.reloadAndNotify(workspaceId);
  deps.log.info({ requestId: call.caller.requestId, connectionId: id, label, provider: name }, 'connection created');
  if (!isTrusted) deps.connections.health.recordSuccessfulTest(await deps.connections.getAny(workspaceId, id), true);
  const returned = purpose === 'chat' ? await takeBackConversations(deps, row, request.takeBack, call) : undefined;
  return { ...(await deps.connections.getAny(workspaceId, id)).toMessage(), ...returned };
}
