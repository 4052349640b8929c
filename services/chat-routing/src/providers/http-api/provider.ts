import { GatewayError } from '@parley/protos/errors';
import { type HttpPools } from '../http-pools.ts';
import { toAuthorizationHeader } from '../openai-compatible/models.ts';
import { type ConnectionProvider } from '../provider.ts';
import { toStatusError } from '../status-error.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';

/** Header names (RFC 9110) that may carry a secret: all except those that control the connection or the body. */
const HEADER =
  /^(?!(?:host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect)$)[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i;
const SECRET = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Any HTTP API that steps of actions call. The account names the header that carries the secret; without one it is sent as a bearer token.
 * This service connects and tests it and tracks its health; the actions service calls it and reports outcomes.
 */
export function httpApi(pools: HttpPools): ConnectionProvider {
  return {
    traits: { name: 'http-api', family: null, purpose: 'api', supports: ['api'], needsSecret: false, trustsNamedModels: false },
    connect: async (connection) => {
      await requireAdmission(pools, connection);
      return { models: [], secret: connection.secret };
    },
    test: async (connection) => {
      await requireAdmission(pools, connection);
      return { models: [] };
    },
  };
}

/** Requests the base URL: any response proves that the API is reachable; 401 and 403 mean that the secret is wrong. */
async function requireAdmission(pools: HttpPools, connection: UpstreamConnection): Promise<void> {
  const status = await pools.requestStatus(connection.baseUrl, toCredentials(connection));
  if (status === 401 || status === 403) throw toStatusError(401);
}

function toCredentials(connection: UpstreamConnection): Record<string, string> {
  const { account: header, secret } = connection;
  if (header !== '' && !HEADER.test(header))
    throw new GatewayError('VALIDATION_ERROR', 'account must be empty or the name of the header that carries the secret', {
      param: 'account',
    });
  if (!SECRET.test(secret)) throw new GatewayError('VALIDATION_ERROR', 'the secret cannot be sent in a header', { param: 'api_key' });
  return header === '' ? toAuthorizationHeader(connection) : secret === '' ? {} : { [header.toLowerCase()]: secret };
}
