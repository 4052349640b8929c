import { type Recurring, startRecurring } from '@parley/kit/lifecycle/recurring';
import { type Logger } from '@parley/kit/log/logger';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { type ConnectionStore } from '../store/connections.ts';
import { toFinding } from '../domain/failure.ts';
import { type AnyAccount } from './account.ts';
import { type Accounts } from './accounts.ts';

/** What refreshing models works with. */
export interface RefreshDeps {
  connections: ConnectionStore;
  accounts: Accounts;
  log: Logger;
}

/** Upstreams that are asked at once. */
const BATCH = 20;
/** How often this process looks for connections that are due. */
const LOOK_MS = 30_000;

/**
 * Keeps the model lists of connections current without a request that waits for it: asks every enabled connection once in `everyMs`, one replica
 * for all. Accounts that turns may not go to are left in peace; what an operator named stays.
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
    due = await deps.connections.claimAsking(everyMs, BATCH);
    await Promise.all(due.map((connection) => refresh(deps, connection)));
  } while (due.length === BATCH && !signal.aborted);
}

/** Never rejects: an upstream that does not answer offers what it offered. */
async function refresh(deps: RefreshDeps, { id, workspaceId }: { id: string; workspaceId: string }): Promise<void> {
  const { accounts, log } = deps;
  try {
    const account = await accounts.findEvery(workspaceId, id);
    if (!account.ready || account.admission() !== 'closed') return;
    const { provider, upstream, secret } = account;
    const startedAt = performance.now();
    const { models } = await provider.test(upstream).catch((thrown: unknown) => {
      if (account.isCurrent(secret, startedAt)) recordRefusal(accounts, account, toGatewayError(thrown));
      throw thrown;
    });
    if (await adoptModels(deps, account, models)) log.info({ connectionId: id, models: models.length }, 'an account offers other models');
  } catch (err) {
    log.debug({ err, connectionId: id }, 'the models of a connection could not be listed; trying again later');
  }
}

/** Stores what an upstream lists now, unless it lists nothing or the operator named the models. False where nothing changed. */
export async function adoptModels(
  { connections, accounts }: Pick<RefreshDeps, 'connections' | 'accounts'>,
  account: AnyAccount,
  models: readonly string[],
): Promise<boolean> {
  if (models.length === 0 || account.row.modelsNamed || isSame(models, account.row.models)) return false;
  if (!(await connections.setModels(account.id, models))) return false;
  accounts.health.listed(account, models);
  await accounts.changed(account.row.workspaceId);
  return true;
}

/** That an upstream does not answer says nothing of its models; what says that it takes nothing any more counts. */
function recordRefusal({ health }: Accounts, account: AnyAccount, error: GatewayError): void {
  const finding = toFinding(error);
  if (finding === 'refused' || finding === 'rate_limited' || finding === 'credit') health.probed(account, finding);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((model, index) => model === other[index]);
}
