import { type Logger } from '@parley/kit/log/logger';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { toProbeResult } from '../domain/failure.ts';
import { claimDueConnections, type DueConnection, releaseProbe } from '../store/health.ts';
import { type AnyConnection } from './connection.ts';
import { type Connections } from './connections.ts';
import { verifyConnection } from './verify-connection.ts';
import { type Database } from '../store/database.ts';

/** What probing connections works with. */
export interface ProberDeps {
  database: Database;
  connections: Connections;
  log: Logger;
}

/** Probes under way at once in a process. */
const MAX_PROBES = 20;
/** The longest time of a probe; a process that dies in one blocks the connection's probes no longer than that. */
const PROBE_MS = 20_000;
/** When a connection is probed again whose probe showed nothing. */
const AGAIN_MS = 60_000;
/** Only every so many looks without a known due connection asks the database: for connections of workspaces that are not in memory. */
const BLIND_LOOKS = 5;

/**
 * Brings connections back without a person's chat: those that cooled down, whose credentials expired, or that are in doubt are asked by us, each by
 * one replica at a time. What is due stands in the database, so that nothing is asked while nothing is due.
 */
export class Prober {
  readonly #deps: ProberDeps;
  readonly #timer: NodeJS.Timeout;
  readonly #probes = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;

  /** Looks for due connections every `lookMs` while this process knows one, else less often, and at once when the health of a connection is in doubt. */
  constructor(deps: ProberDeps, lookMs: number) {
    this.#deps = deps;
    let looks = 0;
    this.#timer = setInterval(() => {
      if (looks++ % BLIND_LOOKS === 0 || deps.connections.hasDueProbe()) this.#look();
    }, lookMs).unref();
    deps.connections.health.onDoubt = () => this.#look();
  }

  /** Probes no more, and waits for what is under way. */
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
      await connections.renew(workspaceId);
      const connection = (await connections.everyOf(workspaceId)).find((candidate) => candidate.id === id);
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
    if (!connection.isCurrent(secret, startedAt)) return;
    log.debug({ connectionId: connection.id, finding: result.finding, err: result.error }, 'connection probed');
    if (!result.finding) return;
    connections.health.probed(connection, result.finding);
  }
}

/** What `work` comes to, or PROVIDER_TIMEOUT. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new GatewayError('PROVIDER_TIMEOUT', 'the provider did not answer a probe in time')), ms).unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
