import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { isCondition } from '@parley/protos/errors';
import { type ReportConnectionRequest } from '@parley/protos/routing/v1/routing';
import { getEffect, type HealthEffect } from '../domain/failure.ts';
import { type HandlerDeps } from './deps.ts';

/** RPC ReportConnection: how a call on a connection went. One that was deleted meanwhile is no error. */
export async function reportConnection(
  { accounts, leases }: HandlerDeps,
  report: ReportConnectionRequest,
  call: Call,
): Promise<Record<string, never>> {
  const all = await accounts.everyOf(call.caller.workspaceId);
  const account = all.find(({ id, provider }) => id === report.connectionId && provider.traits.purpose !== 'chat');
  if (!account) return {};
  const leasedSecret = leases.release(account.id);
  // What was asked with credentials that were replaced meanwhile says nothing any more.
  if (account.isCurrent(leasedSecret ?? account.secret)) accounts.health.report(account, toHealth(report), { conversationId: uuidv7() });
  if (report.probing) accounts.health.releaseProbe(account);
  return {};
}

/** A refused key is reported without its status, and none of these upstreams has a session that is known to expire. */
function toHealth({ ok, condition }: ReportConnectionRequest): HealthEffect {
  if (ok) return 'ok';
  const health = isCondition(condition) ? getEffect(condition).health : 'unknown';
  return health === 'expired' ? 'unauthorized' : health;
}
