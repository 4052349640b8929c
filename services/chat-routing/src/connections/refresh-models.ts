import { type Recurring, startRecurring } from '@parley/kit/lifecycle/recurring';
import { type Logger } from '@parley/kit/log/logger';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { claimModelRefresh, setModels } from '../store/connections.ts';
import { toProbeResult } from '../domain/failure.ts';
import { type AnyConnection } from './connection.ts';
import { type Connections } from './connections.ts';
import { type Store } from '../store/store.ts';

/** What refreshing models works with. */
export interface RefreshDeps {
  store: Store;
  connections: Connections;
  log: Logger;
}

/** Upstreams that are asked at once. */
const BATCH = 20;
/** How often this process looks for connections that are due. */
const LOOK_MS = 30_000;

/**
 * Keeps the model lists of connections current without a request that waits for it: asks every enabled connection once in `everyMs`, one replica
 * for all. Connections that take no turns are skipped; models that an operator named stay.
 */
export function startModelRefresh(deps: RefreshDeps, everyMs: number): Recurring {
  return startRecurring((signal) => refreshDue(deps, everyMs, signal), {
    everyMs: Math.min(LOOK_MS, everyMs),
    failed: (err) => deps.log.warn({ err }, 'the model lists of connections were not refreshed; trying again later'),
  });
}

async function refreshDue(deps: RefreshDeps, everyMs: number, signal: AbortSignal): Promise<void> {
  let due;
  do {
    due = await claimModelRefresh(deps.store.database, everyMs, BATCH);
    await Promise.all(due.map((connection) => refresh(deps, connection)));
  } while (due.length === BATCH && !signal.aborted);
}

/** Never rejects: an upstream that does not answer offers what it offered. */
async function refresh(deps: RefreshDeps, { id, workspaceId }: { id: string; workspaceId: string }): Promise<void> {
  const { connections, log } = deps;
  try {
    const connection = await connections.findEvery(workspaceId, id);
    if (!connection.ready || connection.admission() !== 'closed') return;
    const { provider, upstream, secret } = connection;
    const startedAt = performance.now();
    const { models } = await provider.test(upstream).catch((thrown: unknown) => {
      if (connection.isCurrent(secret, startedAt)) recordRefusal(connections, connection, toGatewayError(thrown));
      throw thrown;
    });
    if (await adoptModels(deps, connection, models))
      log.info({ connectionId: id, models: models.length }, 'an account offers other models');
  } catch (err) {
    log.debug({ err, connectionId: id }, 'the models of a connection could not be listed; trying again later');
  }
}

/** Stores what an upstream lists now, unless it lists nothing or the operator named the models. False where nothing changed. */
export async function adoptModels(
  { store, connections }: Pick<RefreshDeps, 'store' | 'connections'>,
  connection: AnyConnection,
  models: readonly string[],
): Promise<boolean> {
  if (models.length === 0 || connection.row.modelsNamed || isSame(models, connection.row.models)) return false;
  if (!(await setModels(store.database, connection.id, models))) return false;
  connections.health.listed(connection, models);
  await connections.changed(connection.row.workspaceId);
  return true;
}

/** That an upstream does not answer says nothing of its models; what says that it takes nothing any more counts. */
function recordRefusal({ health }: Connections, connection: AnyConnection, error: GatewayError): void {
  const finding = toProbeResult(error);
  if (finding === 'refused' || finding === 'rate_limited' || finding === 'credit') health.probed(connection, finding);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((model, index) => model === other[index]);
}
