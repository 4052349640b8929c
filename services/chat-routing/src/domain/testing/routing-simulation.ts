import { MAX_ATTEMPTS } from '../attempts.ts';
import { toAdmission, type BreakerState, INITIAL_BREAKER_STATE, DEFAULT_BREAKER_POLICY } from '../breaker.ts';
import { pickLeastLoaded } from '../connection-choice.ts';
import { LatencyMeter } from '../latency-meter.ts';
import { OutcomeWindow } from '../outcome-window.ts';
import { createSeededRandom } from './generator.ts';

/** A connection of a simulated gateway. Times in milliseconds. */
export interface SimulatedConnection {
  /** Duration of an answer. */
  latencyMs: number;
  /** Concurrent answers; further ones queue. */
  slots: number;
  /** Result of an attempt that arrives at a time: an answer, an immediate failure, or no response. @default answers */
  fate?: (at: number) => 'answers' | 'fails' | 'hangs';
}

/** A simulated load. */
export interface SimulatedLoad {
  connections: readonly SimulatedConnection[];
  /** Turns per second, at random times. */
  rate: number;
  durationMs: number;
  /** How long a turn waits for an upstream that does not respond. */
  hangMs: number;
  seed: number;
  /** Chooses the connection that will answer first, which a real gateway cannot know. */
  oracle?: boolean;
}

/** Results of a simulation, without the turns that began in the first second. */
export interface SimulatedOutcome {
  turns: number;
  failed: number;
  /** Mean time from start to answer of the answered turns. */
  meanMs: number;
  /** Number of attempts per connection. */
  attempts: number[];
}

interface Connection extends SimulatedConnection {
  /** Running turns. */
  inFlight: number;
  meter: LatencyMeter;
  window: OutcomeWindow;
  state: BreakerState;
  /** When each slot becomes free. */
  freeAt: number[];
  attempts: number;
}

interface Event {
  at: number;
  run: () => void;
}

/** Runs turns through the choice of connections, their meters, breakers and attempts, in simulated time. Deterministic for a seed. */
export function simulateRouting(load: SimulatedLoad): SimulatedOutcome {
  const random = createSeededRandom(load.seed);
  const events = new EventQueue();
  const connections = load.connections.map((connection): Connection => {
    const window = new OutcomeWindow(DEFAULT_BREAKER_POLICY);
    const freeAt = Array.from({ length: connection.slots }, () => 0);
    return { ...connection, window, freeAt, meter: new LatencyMeter(), state: INITIAL_BREAKER_STATE, inFlight: 0, attempts: 0 };
  });
  const outcome = { turns: 0, failed: 0 };
  let answered = 0;
  let waitedMs = 0;

  for (let at = 0; at < load.durationMs; at += -Math.log(1 - random()) * (1_000 / load.rate)) {
    const begin = at;
    events.add({ at: begin, run: () => attempt(begin, begin, new Set()) });
  }
  events.runAll();
  return { ...outcome, meanMs: waitedMs / answered, attempts: connections.map(({ attempts }) => attempts) };

  function attempt(begin: number, at: number, tried: ReadonlySet<Connection>): void {
    const chosen = choose(at, tried);
    if (!chosen || tried.size >= MAX_ATTEMPTS) return end(begin, undefined);
    const pending = chosen.meter.begin(at);
    chosen.inFlight++;
    chosen.attempts++;
    const fate = chosen.fate?.(at) ?? 'answers';
    const doneAt = fate === 'answers' ? serve(chosen, at) : at + (fate === 'fails' ? 1 : load.hangMs);
    events.add({
      at: doneAt,
      run: () => {
        chosen.inFlight--;
        if (fate === 'answers') chosen.meter.recordAccepted(pending, doneAt);
        else chosen.meter.recordFailed(pending, doneAt);
        recordOutcome(chosen, fate === 'answers', doneAt);
        if (fate === 'answers') end(begin, doneAt);
        else attempt(begin, doneAt, new Set([...tried, chosen]));
      },
    });
  }

  function choose(at: number, tried: ReadonlySet<Connection>): Connection | undefined {
    const open = connections.filter((connection) => !tried.has(connection) && toAdmission(connection.state, at) === 'closed');
    if (load.oracle)
      return open.reduce<Connection | undefined>((best, one) => (!best || wouldEnd(one, at) < wouldEnd(best, at) ? one : best), undefined);
    return pickLeastLoaded(
      open.map((connection) => ({ connection, inFlight: connection.inFlight, latencyMs: connection.meter.latencyAt(at) })),
      random,
    )?.connection;
  }

  function recordOutcome(connection: Connection, ok: boolean, at: number): void {
    const before = connection.state;
    connection.state = ok ? connection.window.recordSuccess(before, at) : connection.window.recordFailure(before, at);
    const { openUntil, openings } = connection.state;
    if (openings > 0 && openUntil > at && openUntil < load.durationMs && before.openUntil !== openUntil)
      events.add({ at: openUntil, run: () => probe(connection, openUntil) });
  }

  /** A probe by the gateway; no turn waits for it. */
  function probe(connection: Connection, at: number): void {
    const fate = connection.fate?.(at) ?? 'answers';
    recordOutcome(connection, fate === 'answers', at);
    if (fate === 'answers') connection.meter.resetForSlowStart(at);
  }

  function end(begin: number, doneAt: number | undefined): void {
    if (begin < 1_000) return;
    outcome.turns++;
    if (doneAt === undefined) outcome.failed++;
    else {
      answered++;
      waitedMs += doneAt - begin;
    }
  }
}

function wouldEnd({ freeAt, latencyMs }: Connection, at: number): number {
  return Math.max(at, Math.min(...freeAt)) + latencyMs;
}

function serve(connection: Connection, at: number): number {
  const done = wouldEnd(connection, at);
  connection.freeAt[connection.freeAt.indexOf(Math.min(...connection.freeAt))] = done;
  return done;
}

/** Priority queue of events by time (binary heap). */
class EventQueue {
  readonly #heap: Event[] = [];

  add(event: Event): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((heap[parent] as Event).at <= event.at) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  runAll(): void {
    for (let next = this.#take(); next; next = this.#take()) next.run();
  }

  #take(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as Event).at < (heap[child] as Event).at) child++;
      if ((heap[child] as Event).at >= last.at) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
