import { PULSE } from './keep-alive.ts';

/** What a pulse needs of a connection. */
interface Patient {
  /** Whether calls are open. */
  isBusy(): boolean;
  /** Asks the peer for any answer, a refusal too. */
  ask(answered: () => void): void;
  /** The peer does not answer. */
  lost(): void;
}

/**
 * Notices that the peer of a connection with open calls is frozen or cut off. Only time in which this process runs counts: after it has stood still
 * itself, as happens on a machine with too little CPU, the answer may be there and only not be read yet.
 */
export class Pulse {
  readonly #patient: Patient;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;
  #isAsked = false;
  #waitedMs = 0;

  constructor(patient: Patient) {
    this.#patient = patient;
  }

  /** A call has begun. */
  begin(): void {
    if (this.#timer) return;
    this.#last = performance.now();
    this.#isAsked = false;
    this.#timer = setInterval(() => this.#beat(), PULSE.everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    const now = performance.now();
    this.#waitedMs += Math.min(now - this.#last, 2 * PULSE.everyMs);
    this.#last = now;
    if (!this.#patient.isBusy()) this.stop();
    else if (!this.#isAsked) this.#ask();
    else if (this.#waitedMs >= PULSE.timeoutMs) {
      this.stop();
      this.#patient.lost();
    }
  }

  #ask(): void {
    this.#isAsked = true;
    this.#waitedMs = 0;
    this.#patient.ask(() => (this.#isAsked = false));
  }
}
