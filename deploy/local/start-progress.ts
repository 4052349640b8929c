import { type StartReporter } from './composition/start-reporter.ts';

/** A stream that may be a terminal, such as `process.stdout`. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Moves to the start of the line and clears it. */
const CLEAR = '\r\u001b[2K';

/** Shows the steps of a start: one line each, and on a terminal a spinner and the duration of the step. */
export class StartProgress implements StartReporter {
  readonly #terminal: Terminal;
  #current: { text: string; since: number; timer: NodeJS.Timeout } | undefined;
  #frame = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  step(text: string): void {
    this.#finish('✓');
    if (!this.#terminal.isTTY) return void this.#terminal.write(`${text} …\n`);
    this.#current = { text, since: performance.now(), timer: setInterval(() => this.#draw(), FRAME_MS).unref() };
    this.#draw();
  }

  printLine(line: string): void {
    this.#terminal.write(`${this.#current ? CLEAR : ''}${line}\n`);
    this.#draw();
  }

  /** Ends the current step; `isDone` is false when the start was aborted. */
  end(isDone: boolean): void {
    this.#finish(isDone ? '✓' : '✗');
  }

  #draw(): void {
    if (this.#current) this.#terminal.write(`${CLEAR}${FRAMES[this.#frame++ % FRAMES.length]} ${this.#current.text} …`);
  }

  #finish(mark: string): void {
    if (!this.#current) return;
    const { text, since, timer } = this.#current;
    clearInterval(timer);
    this.#terminal.write(`${CLEAR}${mark} ${text} (${((performance.now() - since) / 1_000).toFixed(1)} s)\n`);
    this.#current = undefined;
  }
}
