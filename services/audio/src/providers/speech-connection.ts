import { type Caller, SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type AcquiredConnection, type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';

/** A client of chat-routing. */
export type ChatRoutingClient = Stub<typeof ChatRoutingServiceService>;

/** Conditions of invalid requests: the server works correctly. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'VOICE_NOT_FOUND']);

/** Default `retryAfterMs`: how long to wait for another request of the account to end, in milliseconds. */
const FULL_MS = 2_000;

/** The account's limit of concurrent requests is reached. The connection is healthy and needs no cooldown, unlike after a rate limit. */
export class ProviderConcurrencyError extends GatewayError {
  constructor(message: string, retryAfterMs = FULL_MS) {
    super('PROVIDER_RATE_LIMITED', message, { retryAfterMs });
  }
}

/** Which connection to use: one to this provider, of the caller's workspace. */
export interface SpeechConnectionRequest {
  routing: ChatRoutingClient;
  provider: string;
  caller: Caller;
  signal: AbortSignal;
  traceparent?: string;
}

/**
 * Runs `work` with a connection for speech, and reports the outcome to chat-routing for the connection's health and circuit breaker.
 * @throws the error of acquiring a connection; the errors of `work`
 */
export async function withSpeechConnection<T>(
  { routing, provider, caller, signal, traceparent }: SpeechConnectionRequest,
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
    const ok = failure === undefined || failure instanceof ProviderConcurrencyError || NOT_ITS_FAULT.has(failure.condition);
    const report = { connectionId, probing, ok, condition: ok ? '' : (failure?.condition ?? ''), retryAfterMs: failure?.retryAfterMs ?? 0 };
    // The result of the work counts even if the report to chat-routing fails.
    const { workspaceId, requestId } = caller;
    await routing.reportConnection(report, { caller: { ...SYSTEM_CALLER, workspaceId, requestId }, traceparent }).catch(() => undefined);
  }
}

/**
 * Returns the condition to report for an aborted call: a timeout is a failure of the server; any other abort does not change its health.
 */
function givenUp({ reason }: AbortSignal): GatewayError {
  const isLate = toGatewayError(reason).condition === 'TIMEOUT';
  return new GatewayError(isLate ? 'PROVIDER_TIMEOUT' : 'CANCELLED', 'the speech server was given up');
}
