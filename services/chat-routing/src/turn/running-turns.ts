import { LinkedSet } from '@parley/kit/collections/linked-set';
import { type GatewayError } from '@parley/protos/errors';
import { type Turn } from './turn.ts';

/** Turns under way in this process, for the drain. */
export class RunningTurns {
  readonly #turns = new LinkedSet<Turn>();
  #stopped: GatewayError | undefined;
  #waiting: (() => void)[] = [];

  add(turn: Turn): void {
    this.#turns.add(turn);
    if (this.#stopped) turn.stop(this.#stopped);
  }

  delete(turn: Turn): void {
    this.#turns.delete(turn);
    if (this.#turns.size > 0) return;
    for (const idle of this.#waiting.splice(0)) idle();
  }

  /** Resolves when no turn is under way. */
  async idle(): Promise<void> {
    if (this.#turns.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends every turn, also those that still come, with an error that its client hears. */
  stopAll(error: GatewayError): void {
    this.#stopped = error;
    for (const turn of this.#turns) turn.stop(error);
  }
}
