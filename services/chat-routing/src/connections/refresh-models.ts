import { type RecurringTask, startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { type Logger } from '@parley/kit/log/logger';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { toProbeResult } from '../domain/error-effects.ts';
import { claimModelRefresh, setModels } from '../store/connections.ts';
import { type Store } from '../store/store.ts';
import { type ConnectionRegistry } from './connection-registry.ts';
import { type AnyConnection } from './connection.ts';

/** Dependencies of refreshing model lists. */
export interface RefreshDeps {
  store: Store;
  connections: ConnectionRegistry;
  log: Logger;
}

/** Number of upstreams that are queried in parallel. */
const BATCH = 20;
/** Longest interval in milliseconds at which this process checks for due connections. */
const LOOK_MS = 30_000;

/**
 * Refreshes the model list of every enabled connection once per `everyMs` milliseconds, by one of the replicas. Skips connections that do
 * not admit turns, and keeps lists that an operator set. Returns the handle to stop it.
 */
export function startModelRefresh(deps: RefreshDeps, everyMs: number): RecurringTask {
  return startRecurringTask((signal) => refreshDue(deps, everyMs, signal), {
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

/** Refreshes one connection. Never rejects: on an error the connection keeps its list. */
async function refresh(deps: RefreshDeps, { id, workspaceId }: { id: string; workspaceId: string }): Promise<void> {
  const { connections, log } = deps;
  try {
    const connection = await connections.getAny(workspaceId, id);
    if (!connection.ready || connection.admission() !== 'closed') return;
    const { provider, upstream, secret } = connection;
    const startedAt = performance.now();
    const { models } = await provider.test(upstream).catch((thrown: unknown) => {
      if (connection.isOutcomeCurrent(secret, startedAt)) recordRefusal(connections, connection, toGatewayError(thrown));
      throw thrown;
    });
    if (await saveListedModels(deps, connection, models))
      log.info({ connectionId: id, models: models.length }, 'an account offers other models');
  } catch (err) {
    log.debug({ err, connectionId: id }, 'the models of a connection could not be listed; trying again later');
  }
}

/** Stores the models that an upstream lists, unless it lists none or the operator set the list; false when nothing changed. */
export async function saveListedModels(
  { store, connections }: Pick<RefreshDeps, 'store' | 'connections'>,
  connection: AnyConnection,
  models: readonly string[],
): Promise<boolean> {
  if (models.length === 0 || connection.row.modelsNamed || isSame(models, connection.row.models)) return false;
  if (!(await setModels(store.database, connection.id, models))) return false;
  connections.health.recordModelList(connection, models);
  await connections.reloadAndNotify(connection.row.workspaceId);
  return true;
}

/** Applies errors that mean the upstream rejects turns (credentials, rate limit, credit) to the health; ignores all others. */
function recordRefusal({ health }: ConnectionRegistry, connection: AnyConnection, error: GatewayError): void {
  const finding = toProbeResult(error);
  if (finding === 'refused' || finding === 'rate_limited' || finding === 'credit') health.recordProbe(connection, finding);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((model, index) => model === other[index]);
}
