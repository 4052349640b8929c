import { type Caller, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type AcquiredConnection, type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';

/** How chat-routing is reached. */
export type ChatRoutingClient = Stub<typeof ChatRoutingServiceService>;

/** Conditions under which the server answered as it should: the request was at fault. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'VOICE_NOT_FOUND']);

/** How long to wait for a request of an account to end; what is spoken takes seconds. */
const FULL_MS = 2_000;

/** The account's limit of concurrent requests is reached. The connection is healthy and needs no cooldown, unlike after a rate limit. */
export class ConnectionFull extends GatewayError {
  constructor(message: string, retryAfterMs = FULL_MS) {
    super('PROVIDER_RATE_LIMITED', message, { retryAfterMs });
  }
}

/** Whose connection it is to be: one to this provider, of the caller's workspace. */
export interface ConnectionUse {
  routing: ChatRoutingClient;
  provider: string;
  caller: Caller;
  signal: AbortSignal;
  traceparent?: string;
}

/**
 * Runs work over a connection for speech and reports to chat-routing how it went; its health and its breaker follow.
 * @throws what keeps the workspace from having one; what the work throws
 */
export async function withConnection<T>(
  { routing, provider, caller, signal, traceparent }: ConnectionUse,
  work: (connection: AcquiredConnection) => Promise<T>,
): Promise<T> {
  const wanted = { purpose: 'speech', connectionId: '', provider };
  const connection = await routing.acquireConnection(wanted, { caller, signal, traceparent });
  let failure: GatewayError | undefined;
  try {
    return await work(connection);
  } catch (error) {
    failure = signal.aborted ? givenUp(signal) : toGatewayError(error);
    throw error;
  } finally {
    const { id: connectionId, probing } = connection;
    const ok = failure === undefined || failure instanceof ConnectionFull || NOT_ITS_FAULT.has(failure.condition);
    const report = { connectionId, probing, ok, condition: ok ? '' : (failure?.condition ?? ''), retryAfterMs: failure?.retryAfterMs ?? 0 };
    // The work is done even if the report to chat-routing fails.
    const { workspaceId, requestId } = caller;
    await routing.reportConnection(report, { caller: { ...SYSTEM_CALLER, workspaceId, requestId }, traceparent }).catch(() => undefined);
  }
}

/** A server that was too slow has failed; who leaves before it has answered says nothing of it, and least of all that it is well. */
function givenUp({ reason }: AbortSignal): GatewayError {
  const isLate = toGatewayError(reason).condition === 'TIMEOUT';
  return new GatewayError(isLate ? 'PROVIDER_TIMEOUT' : 'CANCELLED', 'the speech server was given up');
}
