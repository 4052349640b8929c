import { type Caller, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import type { Stub } from '@parley/kit/rpc/client';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import type { AcquiredConnection, ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';

/** How chat-routing is reached. */
export type Routing = Stub<typeof ChatRoutingServiceService>;

/** Conditions under which the server answered as it should: the request was at fault. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'VOICE_NOT_FOUND']);

/**
 * Runs work over a connection for speech and tells chat-routing how it went; its health and its breaker follow.
 * @throws what keeps the workspace from having one; what the work throws
 */
export async function withConnection<T>(
  routing: Routing,
  caller: Caller,
  signal: AbortSignal,
  work: (connection: AcquiredConnection) => Promise<T>,
): Promise<T> {
  const connection = await routing.acquireConnection({ purpose: 'speech', connectionId: '' }, { caller, signal });
  let failure: GatewayError | undefined;
  try {
    return await work(connection);
  } catch (error) {
    failure = signal.aborted ? givenUp(signal) : toGatewayError(error);
    throw error;
  } finally {
    const { id: connectionId, probing } = connection;
    const ok = failure === undefined || NOT_ITS_FAULT.has(failure.condition);
    const report = { connectionId, probing, ok, condition: ok ? '' : (failure?.condition ?? ''), retryAfterMs: failure?.retryAfterMs ?? 0 };
    // The work is done whatever chat-routing hears of it.
    await routing.reportConnection(report, { caller: { ...SYSTEM_CALLER, workspaceId: caller.workspaceId } }).catch(() => undefined);
  }
}

/** A server that was too slow has failed; who leaves before it has answered says nothing of it, and least of all that it is well. */
function givenUp({ reason }: AbortSignal): GatewayError {
  const isLate = toGatewayError(reason).condition === 'TIMEOUT';
  return new GatewayError(isLate ? 'PROVIDER_TIMEOUT' : 'CANCELLED', 'the speech server was given up');
}
