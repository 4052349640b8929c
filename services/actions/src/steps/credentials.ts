import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection, type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type StepResponse } from '../domain/step-response.ts';
import { type StepRequest, StepError } from './step-executor.ts';

/** The chat-routing RPCs that acquire connections and report their health. */
export type ConnectionsClient = Pick<Stub<typeof ChatRoutingServiceService>, 'acquireConnection' | 'reportConnection'>;

/** The credentials of a run, which are sent to one origin only. */
export interface Credentials {
  /** Base URL of the API for which they are valid. */
  baseUrl: URL;
  secret: string;
  /** Returns the authentication headers for a URL; empty for any other origin. */
  headersFor(url: URL): Record<string, string>;
}

const DEADLINE_MS = 5_000;

/** The caller and id of the connection, and the trace in which it is used. */
type ConnectionUse = Pick<StepRequest, 'caller' | 'connectionId' | 'traceparent'>;

/**
 * Runs `work` with the credentials of the run's connection, and reports the outcome to chat-routing for the connection's health and circuit
 * breaker. A run without a connection uses the workspace's, if there is one.
 * @throws StepError without effect when the named connection cannot be used; the errors of `work`
 */
export async function withCredentials(
  connections: ConnectionsClient,
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
    // The result of the step counts even if the report to chat-routing fails.
    await connections.reportConnection(report, init).catch(() => undefined);
  }
}

async function acquire(
  connections: ConnectionsClient,
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

/** An outcome that does not change the health of the connection. */
const NOTHING: Verdict = { ok: false, condition: 'CANCELLED', retryAfterMs: 0 };
/** Conditions that are reported as failures of the API. */
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
