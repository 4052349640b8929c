import { type Call } from '@parley/kit/rpc/call';
import { toGatewayError } from '@parley/protos/errors';
import { type TestConnectionRequest, type TestConnectionResponse } from '@parley/protos/routing/v1/routing';
import { saveListedModels } from '../connections/refresh-models.ts';
import { verifyConnection } from '../connections/verify-connection.ts';
import { type Deps } from '../deps.ts';
import { toProbeResult } from '../domain/error-effects.ts';

/**
 * RPC TestConnection: verifies a connection with its upstream; updates its health, and its models unless the operator named them. A failed
 * test is returned as `ok: false` with its condition. Throws CONNECTION_NOT_FOUND.
 */
export async function testConnection(deps: Deps, { id }: TestConnectionRequest, call: Call): Promise<TestConnectionResponse> {
  const { connections } = deps;
  const connection = await connections.getAny(call.caller.workspaceId, id);
  const { secret } = connection;
  const startedAt = performance.now();
  const isCurrent = () => connection.isOutcomeCurrent(secret, startedAt);
  try {
    const { models } = await verifyConnection(connection);
    if (isCurrent()) {
      await saveListedModels(deps, connection, models);
      connections.health.recordSuccessfulTest(connection, false);
    }
    return { ok: true, condition: '', message: '', models, connection: connection.toMessage() };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { condition, message } = error;
    const finding = toProbeResult(error);
    if (finding && finding !== 'unproven' && isCurrent()) connections.health.recordProbe(connection, finding);
    return { ok: false, condition, message, models: [], connection: connection.toMessage() };
  }
}
