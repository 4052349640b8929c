import { type Logger } from '@parley/kit/log/logger';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { toProbeResult } from '../domain/error-effects.ts';
import { type Database } from '../store/database.ts';
import { claimDueConnections, type DueConnection, releaseProbe } from '../store/health.ts';
import { type ConnectionRegistry } from './connection-registry.ts';
import { type AnyConnection } from './connection.ts';
import { verifyConnection } from './verify-connection.ts';

/** Dependencies of `Prober`. */
export interface ProberDeps {
  database: Database;
  connections: ConnectionRegistry;
  log: Logger;
}

/** Maximum concurrent probes of a process. */
const MAX_PROBES = 20;
/** Timeout of a probe and lifetime of its claim, so that a crashed process does not block probes for longer. */
const PROBE_MS = 20_000;
/** Wait before the next probe after one without a result. */
const AGAIN_MS = 60_000;
/** While no connection in memory is due, only every fifth tick queries the database, for workspaces that are not in memory. */
const BLIND_LOOKS = 5;

/**
 * Probes connections whose cooldown has ended, whose credentials have expired or whose health is in doubt, so that they recover without a
 * user's turn. Due probes are stored in the database and claimed there, so that one replica at a time probes a connection.
 */
export class Prober {
  readonly #deps: ProberDeps;
  readonly #timer: NodeJS.Timeout;
  readonly #probes = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;

  /**
   * Checks for due probes every `checkIntervalMs` milliseconds while a connection in memory is due, otherwise less often, and at once on
   * `health.onProbeDue`.
   */
  constructor(deps: ProberDeps, checkIntervalMs: number) {
    this.#deps = deps;
    let looks = 0;
    this.#timer = setInterval(() => {
      if (looks++ % BLIND_LOOKS === 0 || deps.connections.hasDueProbe()) this.#look();
    }, checkIntervalMs).unref();
    deps.connections.health.onProbeDue = () => this.#look();
  }

  /** Stops and waits for running probes. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#probes);
  }

  #look(): void {
    if (this.#closed) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#takeDue()
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'connections that are due were not probed; trying again later'))
      .finally(() => {
        this.#looking = undefined;
        if (!this.#lookAgain) return;
        this.#lookAgain = false;
        this.#look();
      });
  }

  async #takeDue(): Promise<void> {
    const room = MAX_PROBES - this.#probes.size;
    if (room === 0) return;
    for (const due of await claimDueConnections(this.#deps.database, PROBE_MS, AGAIN_MS, room)) {
      const probe = this.#probe(due).finally(() => this.#probes.delete(probe));
      this.#probes.add(probe);
    }
  }

  /** Never rejects. */
  async #probe({ id, workspaceId }: DueConnection): Promise<void> {
    const { connections, database, log } = this.#deps;
    try {
      await connections.reloadFresh(workspaceId);
      const connection = (await connections.listAll(workspaceId)).find((candidate) => candidate.id === id);
      if (connection?.ready && connection.state.probeAt !== 0) await this.#ask(connection);
    } catch (err) {
      log.warn({ err, connectionId: id }, 'a connection was not probed; trying again later');
    } finally {
      await releaseProbe(database, id).catch((err: unknown) =>
        log.debug({ err, connectionId: id }, 'the right to probe a connection ends by itself'),
      );
    }
  }

  async #ask(connection: AnyConnection): Promise<void> {
    const { connections, log } = this.#deps;
    const { secret } = connection;
    const startedAt = performance.now();
    const result = await within(PROBE_MS, verifyConnection(connection)).then(
      ({ finding }) => ({ finding, error: undefined }),
      (thrown: unknown) => {
        const error = toGatewayError(thrown);
        return { finding: toProbeResult(error), error };
      },
    );
    if (!connection.isOutcomeCurrent(secret, startedAt)) return;
    log.debug({ connectionId: connection.id, finding: result.finding, err: result.error }, 'connection probed');
    if (!result.finding) return;
    connections.health.recordProbe(connection, result.finding);
  }
}

/** Resolves or rejects like `work`; rejects with PROVIDER_TIMEOUT after `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new GatewayError('PROVIDER_TIMEOUT', 'the provider did not answer a probe in time')), ms).unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
