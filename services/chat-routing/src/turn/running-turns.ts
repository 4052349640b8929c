import { LinkedSet } from '@parley/kit/collections/linked-set';
import { type GatewayError } from '@parley/protos/errors';
import { type Turn } from './turn.ts';

/** Turns under way in this process, for the drain. */
export class RunningTurns {
  readonly #turns = new LinkedSet<Turn>();
  #stopped: GatewayError | undefined;
  #waiting: (() => void)[] = [];

  /** Keeps a turn, as `create` makes it, until it is settled. */
  open(create: (settled: () => void) => Turn): Turn {
    const turn = create(() => this.#delete(turn));
    this.#turns.add(turn);
    if (this.#stopped) turn.stop(this.#stopped);
    return turn;
  }

  /** Resolves when no turn is under way. */
  async idle(): Promise<void> {
    if (this.#turns.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends every turn, also those that are opened later, with an error for its client. */
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
