import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { isErrorCondition } from '@parley/protos/errors';
import { type ReportConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { getErrorEffect, type HealthEffect } from '../domain/error-effects.ts';

/** RPC ReportConnection: applies the outcome of a call on an acquired connection to its health. Ignores connections deleted meanwhile. */
export async function reportConnection(
  { connections, externalCalls }: Deps,
  report: ReportConnectionRequest,
  call: Call,
): Promise<Record<string, never>> {
  const all = await connections.listAll(call.caller.workspaceId);
  const connection = all.find(({ id, provider }) => id === report.connectionId && provider.traits.purpose !== 'chat');
  if (!connection) return {};
  const usedSecret = externalCalls.end(connection.id);
  // The outcome of a call with credentials that were replaced in the meantime is ignored.
  if (connection.isOutcomeCurrent(usedSecret ?? connection.secret))
    connections.health.recordOutcome(connection, toHealth(report), { conversationId: uuidv7() });
  if (report.probing) connections.health.releaseProbe(connection);
  return {};
}

/**
 * `expired` becomes `unauthorized`: a rejected key is reported without its HTTP status, and these upstreams have no sessions that expire.
 */
function toHealth({ ok, condition }: ReportConnectionRequest): HealthEffect {
  if (ok) return 'ok';
  const health = isErrorCondition(condition) ? getErrorEffect(condition).health : 'unknown';
  return health === 'expired' ? 'unauthorized' : health;
}
