import { type Call } from '@parley/kit/rpc/call';
import { toGatewayError } from '@parley/protos/errors';
import { type TestConnectionRequest, type TestConnectionResponse } from '@parley/protos/routing/v1/routing';
import { effectOf } from '../domain/failure.ts';
import { type HandlerDeps } from './deps.ts';

/** RPC TestConnection: asks the upstream whether the account works; health follows from the answer. Throws CONNECTION_NOT_FOUND. */
export async function testConnection(deps: HandlerDeps, { id }: TestConnectionRequest, call: Call): Promise<TestConnectionResponse> {
  const account = await deps.accounts.findEvery(call.caller.workspaceId, id);
  try {
    const { models } = await account.provider.test(account.upstream);
    deps.accounts.health.connected(account, false);
    return { ok: true, condition: '', message: '', models, connection: account.view() };
  } catch (error) {
    const { condition, message } = toGatewayError(error);
    deps.accounts.health.report(account, effectOf(condition).health);
    return { ok: false, condition, message, models: [], connection: account.view() };
  }
}
