import { setTimeout as delay } from 'node:timers/promises';
import { Connection, type Exchange } from './connection.ts';
import { type ClosedLoopJob, type JobResult } from './protocol.ts';
import { conversationOf, endpointOf, RequestRenderer } from './request.ts';
import { Tally } from './tally.ts';

const MAX_FAILURES = 200;
const DRAIN_MS = 30_000;

/** The connections of a closed loop, each with one request in flight. */
class ClosedLoop {
  readonly tally = new Tally(false);
  readonly conversations: string[] = [];
  readonly #job: ClosedLoopJob;
  readonly #requests: (driver: number, turn: number) => Buffer;
  readonly #connections = new Set<Connection>();
  #sent = 0;
  #running = true;

  constructor(job: ClosedLoopJob) {
    this.#job = job;
    this.#requests = requestsOf(job);
  }

  /** Resolves when it was stopped or has sent all of its turns, and the last answer has come. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#job.connections }, (_, driver) => this.#drive(driver)));
  }

  stop(): void {
    this.#running = false;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  #drive(driver: number): Promise<void> {
    return new Promise((resolve) => {
      let connection = this.#connect();
      let turn = 0;
      const next = (): void => {
        if (!this.#running || this.#sent === this.#job.turns || this.tally.failed >= MAX_FAILURES) {
          resolve();
          return;
        }
        if (!connection.free) {
          this.#connections.delete(connection);
          connection = this.#connect();
        }
        this.#sent += 1;
        // Recursion is safe: the answer comes from a later read of the socket, never inside send().
        connection.send(this.#requests(driver, turn++), this.#exchange(next));
      };
      next();
    });
  }

  #connect(): Connection {
    const { host, port } = endpointOf(this.#job.url);
    const connection = new Connection(host, port);
    this.#connections.add(connection);
    return connection;
  }

  #exchange(next: () => void): Exchange {
    const exchange = this.tally.exchange(this.#job.expect, next);
    if (this.#job.namesConversations !== true) return exchange;
    const onHead = (head: string): void => {
      const conversation = conversationOf(head);
      if (conversation !== undefined) this.conversations.push(conversation);
    };
    return { ...exchange, onHead };
  }
}

/** Drives every connection flat out, one request in flight each; calls `edge` when the window opens and closes, then lets what is in flight end. */
export async function runClosedLoop(job: ClosedLoopJob, edge: (edge: 'open' | 'closed', answeredEver: number) => void): Promise<JobResult> {
  const loop = new ClosedLoop(job);
  const { tally } = loop;
  const open = (): void => {
    tally.open();
    edge('open', tally.result().answeredEver);
  };
  const close = (): void => {
    tally.close();
    edge('closed', tally.result().answeredEver);
  };
  if (job.turns === undefined) {
    const drivers = loop.run();
    await delay(job.warmMs);
    open();
    await delay(job.windowMs);
    close();
    loop.stop();
    await Promise.race([drivers, delay(DRAIN_MS, undefined, { ref: false })]);
  } else {
    open();
    await Promise.race([loop.run(), delay(job.windowMs, undefined, { ref: false })]);
    close();
    loop.stop();
  }
  loop.close();
  return { ...tally.result(), ...(job.namesConversations === true && { conversations: loop.conversations }) };
}

/** The request of one driver's turn: each driver has conversations of its own, because a conversation takes one turn at a time. */
function requestsOf(job: ClosedLoopJob): (driver: number, turn: number) => Buffer {
  const { conversations, connections } = job;
  const requests = new RequestRenderer(job);
  if (conversations === undefined) return () => requests.next();
  if (conversations.length < connections)
    throw new Error(`${conversations.length} conversations are too few for ${connections} connections`);
  return (driver, turn) => {
    const own = Math.ceil((conversations.length - driver) / connections);
    return requests.next(conversations[driver + (turn % own) * connections]);
  };
}
