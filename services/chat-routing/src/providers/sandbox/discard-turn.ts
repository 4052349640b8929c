import { type GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type ProviderAccount } from '../provider-account.ts';
import { bearer } from './session.ts';
import { toRefusedError } from './wire.ts';

/** Deletes the conversation that a turn opened, if it opened one. Throws a coded error. */
export async function discardTurn(pools: Pools, account: ProviderAccount, turnId: string): Promise<void> {
  const path = `/api/openings/${encodeURIComponent(turnId)}`;
  await pools.json(account.baseUrl, path, { method: 'DELETE', headers: bearer(account) }, toRefusedError).catch((error: GatewayError) => {
    if (error.condition !== 'CONVERSATION_DELETED_UPSTREAM') throw error;
  });
}
