import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection, type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type StepResponse } from '../domain/step-response.ts';
import { type StepRequest, StepError } from './step-executor.ts';

/** Of chat-routing, what hands out connections. */
export type Connections = Pick<Stub<typeof ChatRoutingServiceService>, 'acquireConnection' | 'reportConnection'>;

/** The credentials of a run, which go to one origin and nowhere else. */
export interface Credentials {
  /** The API that they are for. */
  baseUrl: URL;
  secret: string;
  /** Empty for any other origin. */
  headersFor(url: URL): Record<string, string>;
}

const DEADLINE_MS = 5_000;

/** Whose connection is used, and the trace that it is used in. */
type ConnectionUse = Pick<StepRequest, 'caller' | 'connectionId' | 'traceparent'>;

/**
 * Works with the connection of a run, and reports the outcome to chat-routing for its health and breaker. A run without one has the
 * workspace's, where there is one.
 * @throws what keeps a connection that the run names from serving, as a StepError without effect; what the work throws
 */
export async function withCredentials(
  connections: Connections,
  of: ConnectionUse,
  signal: AbortSignal,
  work: (credentials: Credentials | undefined) => Promise<{ response: StepResponse; used: boolean }>,
): Promise<StepResponse> {
  const connection = await acquire(connections, of, signal);
  if (!connection) return (await work(undefined)).response;
  let verdict: Verdict = NOTHING;
  try {
    const { response, used } = await work(toCredentials(connection));
    if (used) verdict = toOutcome(response);
    return response;
  } catch (error) {
    if (error instanceof StepError && BREAKS.has(error.error.condition)) verdict = { ...NOTHING, condition: error.error.condition };
    throw error;
  } finally {
    const report = { ...verdict, connectionId: connection.id, probing: connection.probing };
    const { workspaceId, requestId } = of.caller;
    const init = { caller: { ...SYSTEM_CALLER, workspaceId, requestId }, traceparent: of.traceparent, deadlineMs: DEADLINE_MS };
    // The step is done even if the report to chat-routing fails.
    await connections.reportConnection(report, init).catch(() => undefined);
  }
}

async function acquire(
  connections: Connections,
  { caller, connectionId, traceparent }: ConnectionUse,
  signal: AbortSignal,
): Promise<AcquiredConnection | undefined> {
  try {
    return await connections.acquireConnection({ purpose: 'api', connectionId }, { caller, traceparent, signal, deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (connectionId === '' && error.condition === 'ACCOUNT_NOT_CONNECTED') return undefined;
    throw new StepError(error, 'none');
  }
}

function toCredentials({ baseUrl, secret, account }: AcquiredConnection): Credentials {
  const base = new URL(baseUrl);
  const headers: Record<string, string> =
    secret === '' ? {} : account === '' ? { authorization: `Bearer ${secret}` } : { [account.toLowerCase()]: secret };
  return { baseUrl: base, secret, headersFor: (url) => (url.origin === base.origin ? headers : {}) };
}

interface Verdict {
  ok: boolean;
  condition: string;
  retryAfterMs: number;
}

/** Nothing that says anything of the API. */
const NOTHING: Verdict = { ok: false, condition: 'CANCELLED', retryAfterMs: 0 };
/** What is the API's fault. */
const BREAKS: ReadonlySet<string> = new Set(['PROVIDER_UNAVAILABLE', 'PROVIDER_TIMEOUT']);

function toOutcome({ statusCode, headers }: StepResponse): Verdict {
  if (statusCode === 401) return { ...NOTHING, condition: 'ACCOUNT_REAUTH_REQUIRED' };
  if (statusCode === 429) {
    const seconds = Number(headers['retry-after']);
    return {
      ...NOTHING,
      condition: 'PROVIDER_RATE_LIMITED',
      retryAfterMs: seconds > 0 && seconds < 86_400 ? Math.round(seconds * 1_000) : 0,
    };
  }
  return statusCode >= 500 ? { ...NOTHING, condition: 'PROVIDER_BAD_ANSWER' } : { ...NOTHING, ok: true, condition: '' };
}
