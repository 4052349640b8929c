import { LinkedSet } from '@parley/kit/collections/linked-set';
import { type GatewayError } from '@parley/protos/errors';
import { type Turn } from './turn.ts';

/** The turns that run in this process; used for the drain. */
export class RunningTurns {
  readonly #turns = new LinkedSet<Turn>();
  #stopped: GatewayError | undefined;
  #waiting: (() => void)[] = [];

  /** Creates a turn and tracks it until it calls `settled`. After `stopAll`, new turns are stopped at once. */
  open(create: (settled: () => void) => Turn): Turn {
    const turn = create(() => this.#delete(turn));
    this.#turns.add(turn);
    if (this.#stopped) turn.stop(this.#stopped);
    return turn;
  }

  /** Resolves when no turn is running. */
  async waitUntilIdle(): Promise<void> {
    if (this.#turns.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Stops every turn, including those opened later, with this error for the client. */
  stopAll(error: GatewayError): void {
    this.#stopped = error;
    for (const turn of this.#turns) turn.stop(error);
  }

  #delete(turn: Turn): void {
    this.#turns.delete(turn);
    if (this.#turns.size > 0) return;
    for (const idle of this.#waiting.splice(0)) idle();
  }
}
