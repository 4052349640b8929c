import { type Call } from '@parley/kit/rpc/call';
import { toGatewayError } from '@parley/protos/errors';
import { type TestConnectionRequest, type TestConnectionResponse } from '@parley/protos/routing/v1/routing';
import { verifyAccount } from '../accounts/verify-account.ts';
import { adoptModels } from '../accounts/refresh-models.ts';
import { toFinding } from '../domain/failure.ts';
import { type HandlerDeps } from './deps.ts';

/**
 * RPC TestConnection: asks the upstream whether the account works; health follows from the answer, and so do its models unless the operator named
 * them. Throws CONNECTION_NOT_FOUND.
 */
export async function testConnection(deps: HandlerDeps, { id }: TestConnectionRequest, call: Call): Promise<TestConnectionResponse> {
  const { accounts } = deps;
  const account = await accounts.findEvery(call.caller.workspaceId, id);
  const { secret } = account;
  const startedAt = performance.now();
  const isCurrent = () => account.isCurrent(secret, startedAt);
  try {
    const { models } = await verifyAccount(account);
    if (isCurrent()) {
      await adoptModels(deps, account, models);
      accounts.health.connected(account, false);
    }
    return { ok: true, condition: '', message: '', models, connection: account.view() };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { condition, message } = error;
    const finding = toFinding(error);
    if (finding && finding !== 'unproven' && isCurrent()) accounts.health.probed(account, finding);
    return { ok: false, condition, message, models: [], connection: account.view() };
  }
}
