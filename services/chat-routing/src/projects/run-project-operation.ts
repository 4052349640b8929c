import { type ErrorCondition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type ConnectionRegistry } from '../connections/connection-registry.ts';
import { type Connection } from '../connections/connection.ts';
import { recordCallError } from '../connections/record-call-error.ts';
import { type ProjectOperations } from '../providers/project-operations.ts';
import { type UpstreamConnection } from '../providers/upstream-connection.ts';

/** Errors that reach the client unchanged, because it can act on them; any other error of an upstream becomes `failure`. */
const CLIENT_ERRORS: readonly ErrorCondition[] = [
  'ACCOUNT_REAUTH_REQUIRED',
  'PROVIDER_RATE_LIMITED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
  'INTERNAL_ERROR',
];

/**
 * Runs a project operation at the upstream of a connection and returns its result. Errors affect the health of the connection as in a turn;
 * a success proves nothing about turns. Throws `failure` with the upstream's error as its cause, or the upstream's error itself when the
 * client can act on it or `failure` is undefined.
 */
export async function runProjectOperation<T>(
  deps: { connections: ConnectionRegistry },
  connection: Connection,
  failure: 'PROJECT_CREATE_FAILED' | 'PROJECT_UPDATE_FAILED' | undefined,
  work: (projects: ProjectOperations, upstream: UpstreamConnection) => Promise<T>,
): Promise<T> {
  const { upstream } = connection;
  connection.usedSinceTouch = true;
  try {
    return await work(requireProjectOperations(connection), upstream);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    recordCallError(deps, connection, upstream.secret, error);
    if (!failure || CLIENT_ERRORS.includes(error.condition)) throw error;
    throw new GatewayError(failure, 'the provider failed to do this with the project', { cause: error, retryAfterMs: error.retryAfterMs });
  }
}

/** Returns the project operations of a connection's provider. Throws VALIDATION_ERROR for a provider without projects. */
export function requireProjectOperations({ provider }: Connection): ProjectOperations {
  if (provider.projects) return provider.projects;
  throw new GatewayError('VALIDATION_ERROR', 'the provider of this account has no projects', { param: 'upstream_account_id' });
}
