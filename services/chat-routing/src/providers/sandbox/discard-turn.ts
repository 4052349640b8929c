import { type GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { bearer } from './session.ts';
import { toRefusedError } from './wire.ts';

/** Deletes the conversation that a turn opened, if it opened one. Throws a coded error. */
export async function discardTurn(pools: Pools, connection: UpstreamConnection, turnId: string): Promise<void> {
  const path = `/api/openings/${encodeURIComponent(turnId)}`;
  await pools
    .json(connection.baseUrl, path, { method: 'DELETE', headers: bearer(connection) }, toRefusedError)
    .catch((error: GatewayError) => {
      if (error.condition !== 'CONVERSATION_DELETED_UPSTREAM') throw error;
    });
}
