import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type AcquireConnectionRequest, type AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { type AnyConnection } from '../connections/connection.ts';
import { type Deps } from '../deps.ts';
import { pickLeastLoaded } from '../domain/connection-choice.ts';
import { type Purpose } from '../providers/provider.ts';

/** Purposes for which connections are handed out to other services. Chat connections are used only in this service. */
const PURPOSES: readonly string[] = ['speech', 'transcription', 'api'] satisfies Exclude<Purpose, 'chat'>[];

/** `retry_after` while another caller's probe is running. */
const PROBED_MS = 1_000;

interface Choice {
  connection: AnyConnection;
  probing: boolean;
}

/**
 * RPC AcquireConnection: returns a connection for a purpose (and provider, if given) with its secret: the one with `connectionId`, else the
 * healthy default one, else the least loaded healthy one. When none is healthy, one caller gets a half-open connection and probes it.
 * Throws VALIDATION_ERROR for an unknown purpose, ACCOUNT_NOT_CONNECTED, NO_HEALTHY_SESSION, and for a named connection ACCOUNT_NOT_ACTIVE,
 * ACCOUNT_REAUTH_REQUIRED_SELECTED and PROVIDER_RATE_LIMITED.
 */
export async function acquireConnection(
  deps: Deps,
  { purpose, connectionId, provider: wanted }: AcquireConnectionRequest,
  call: Call,
): Promise<AcquiredConnection> {
  if (!PURPOSES.includes(purpose))
    throw new GatewayError('VALIDATION_ERROR', `purpose must be one of ${PURPOSES.join(', ')}`, { param: 'purpose' });
  const all = await deps.connections.listAll(call.caller.workspaceId);
  const serving = all.filter(({ provider: { traits } }) => traits.purpose === purpose && (wanted === undefined || traits.name === wanted));
  const { connection, probing } = connectionId ? await named(deps, serving, connectionId) : await best(deps, serving, purpose);
  if (call.abortReason) {
    if (probing) deps.connections.health.releaseProbe(connection);
    throw call.abortReason;
  }
  const { id, row, secret } = connection;
  connection.usedSinceTouch = true;
  deps.externalCalls.begin(id, secret);
  return { id, provider: row.provider, label: row.label, baseUrl: row.baseUrl, secret, models: row.models, probing, account: row.account };
}

async function named(deps: Deps, serving: readonly AnyConnection[], connectionId: string): Promise<Choice> {
  const connection = serving.find(({ id }) => id === connectionId);
  if (!connection) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the connection is not there any more');
  if (!connection.ready) throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the connection is not active');
  const retryAfterMs = connection.cooldownMs();
  switch (connection.admission()) {
    case 'closed':
      return { connection, probing: false };
    case 'half_open':
      if (await deps.connections.health.claimProbe(connection)) return { connection, probing: true };
      throw new GatewayError('NO_HEALTHY_SESSION', 'the connection is being probed', { retryAfterMs: PROBED_MS });
    case 'open':
      throw new GatewayError('NO_HEALTHY_SESSION', 'the connection is cooling down', { retryAfterMs });
    case 'rate_limited':
      throw new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits the connection', { retryAfterMs });
    case 'expired':
      throw new GatewayError('ACCOUNT_REAUTH_REQUIRED_SELECTED', 'the provider no longer accepts the credentials of the connection');
  }
}

async function best(deps: Deps, serving: readonly AnyConnection[], purpose: string): Promise<Choice> {
  if (serving.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', `the workspace has no connected account for ${purpose}`);
  const ready = serving.filter((connection) => connection.ready);
  const tiers = [ready.filter(({ row }) => row.isDefault), ready.filter(({ row }) => !row.isDefault)];
  for (const tier of tiers) {
    const well = tier.filter((connection) => connection.admission() === 'closed');
    const loads = well.map((connection) => ({ connection, inFlight: deps.externalCalls.count(connection.id), latencyMs: 0 }));
    const chosen = pickLeastLoaded(loads);
    if (chosen) return { connection: chosen.connection, probing: false };
  }
  for (const connection of tiers.flat()) {
    if (connection.admission() === 'half_open' && (await deps.connections.health.claimProbe(connection)))
      return { connection, probing: true };
  }
  const waits = ready
    .filter((connection) => connection.admission() !== 'expired')
    .map((connection) => connection.cooldownMs() || PROBED_MS);
  const retryAfterMs = waits.length > 0 ? Math.min(...waits) : undefined;
  throw new GatewayError('NO_HEALTHY_SESSION', `no connected account for ${purpose} can serve now`, { retryAfterMs });
}
