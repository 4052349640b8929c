import type { Logger } from '../log/logger.ts';
import type { BusConnection } from './bus-connection.ts';
import { pause } from '../lifecycle/pause.ts';
import { type StreamDeclaration, ensureStream } from './streams.ts';

const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 5_000;

/** Keeps the declared streams standing: after every connect and whenever somebody finds one missing. */
export class StreamKeeper {
  readonly #link: BusConnection;
  readonly #log: Logger;
  readonly #streams = new Map<string, StreamDeclaration>();
  #busy = false;
  #again = false;

  constructor(link: BusConnection, log: Logger) {
    this.#link = link;
    this.#log = log;
    link.onUp(() => this.check());
  }

  /** Adds a declaration, or replaces the one of the same name. */
  declare(declaration: StreamDeclaration): void {
    this.#streams.set(declaration.name, declaration);
    this.check();
  }

  /** Sees to it that every stream stands, in the background; one round at a time. */
  check(): void {
    this.#again = true;
    if (!this.#busy) void this.#run();
  }

  /** Goes on until every stream stands or the link is down, whose return starts it again. */
  async #run(): Promise<void> {
    this.#busy = true;
    let wait = FIRST_WAIT_MS;
    for (let nc = this.#link.connection; nc && this.#again; nc = this.#link.connection) {
      this.#again = false;
      try {
        for (const declaration of this.#streams.values()) await ensureStream(nc, declaration);
      } catch (err) {
        this.#again = true;
        if (wait === FIRST_WAIT_MS) this.#log.warn({ err }, 'streams could not be declared');
        await pause(wait, this.#link.closed);
        wait = Math.min(wait * 2, LAST_WAIT_MS);
      }
    }
    this.#busy = false;
  }
}
