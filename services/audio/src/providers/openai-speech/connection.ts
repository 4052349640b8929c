import { type Caller, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import type { Stub } from '@parley/kit/rpc/client';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import type { AudioConnection, ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';

/** How chat-routing is reached. */
export type Routing = Stub<typeof ChatRoutingServiceService>;

/** Conditions that say nothing about the connection: the request was at fault, or we gave up. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'VOICE_NOT_FOUND', 'CANCELLED', 'SHUTTING_DOWN']);

/**
 * Runs work over a connection for speech and tells chat-routing how it went; its health and its breaker follow.
 * @throws what keeps the workspace from having one; what the work throws
 */
export async function withConnection<T>(
  routing: Routing,
  caller: Caller,
  signal: AbortSignal,
  work: (connection: AudioConnection) => Promise<T>,
): Promise<T> {
  const connection = await routing.acquireAudioConnection({ purpose: 'speech', connectionId: '' }, { caller, signal });
  let failure: GatewayError | undefined;
  try {
    return await work(connection);
  } catch (error) {
    failure = signal.aborted ? undefined : toGatewayError(error);
    throw error;
  } finally {
    const counts = failure !== undefined && !NOT_ITS_FAULT.has(failure.condition);
    const { id: connectionId, probing } = connection;
    const report = {
      connectionId,
      probing,
      ok: !counts,
      condition: counts ? (failure?.condition ?? '') : '',
      retryAfterMs: failure?.retryAfterMs ?? 0,
    };
    // The work is done whatever chat-routing hears of it.
    await routing.reportAudioConnection(report, { caller: { ...SYSTEM_CALLER, workspaceId: caller.workspaceId } }).catch(() => undefined);
  }
}
