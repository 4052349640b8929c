import { type Call } from '@parley/kit/rpc/call';
import { isCondition } from '@parley/protos/errors';
import { type ReportConnectionRequest } from '@parley/protos/routing/v1/routing';
import { effectOf, type HealthEffect } from '../domain/failure.ts';
import { type HandlerDeps } from './deps.ts';

/** RPC ReportConnection: how a call on a connection went. One that was deleted meanwhile is no error. */
export async function reportConnection(
  { accounts, loans }: HandlerDeps,
  report: ReportConnectionRequest,
  call: Call,
): Promise<Record<string, never>> {
  const all = await accounts.everyOf(call.caller.workspaceId);
  const account = all.find(({ id, provider }) => id === report.connectionId && provider.traits.purpose !== 'chat');
  if (!account) return {};
  const lentWith = loans.giveBack(account.id);
  const health = healthOf(report);
  // Credentials that were replaced meanwhile are not expired by a refusal of the old ones.
  const isStale = health === 'expired' && lentWith !== undefined && lentWith !== account.secret;
  if (!isStale) accounts.health.report(account, health);
  if (report.probing) accounts.health.releaseProbe(account);
  return {};
}

function healthOf({ ok, condition }: ReportConnectionRequest): HealthEffect {
  if (ok) return 'ok';
  return isCondition(condition) ? effectOf(condition).health : 'unknown';
}
