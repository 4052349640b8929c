import { pause } from '../lifecycle/pause.ts';
import { type Logger } from '../log/logger.ts';
import { type BusConnection } from './bus-connection.ts';
import { type StreamDeclaration, ensureStream } from './streams.ts';

const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 5_000;

/** Declares the streams on the broker, after every connect and whenever a publish finds a stream missing. */
export class StreamDeclarations {
  readonly #connection: BusConnection;
  readonly #log: Logger;
  readonly #streams = new Map<string, StreamDeclaration>();
  #busy = false;
  #again = false;

  constructor(connection: BusConnection, log: Logger) {
    this.#connection = connection;
    this.#log = log;
    connection.onUp(() => this.declareAll());
  }

  /** Adds a declaration, or replaces the one of the same name, and declares it in the background. */
  declare(declaration: StreamDeclaration): void {
    this.#streams.set(declaration.name, declaration);
    this.declareAll();
  }

  /** Declares every stream in the background; one round at a time. */
  declareAll(): void {
    this.#again = true;
    if (!this.#busy) void this.#run();
  }

  /** Repeats until every stream is declared or the connection is lost or closed; the next connect starts this loop again. */
  async #run(): Promise<void> {
    this.#busy = true;
    let wait = FIRST_WAIT_MS;
    const { closeSignal } = this.#connection;
    for (let nc = this.#connection.connection; nc && this.#again && !closeSignal.aborted; nc = this.#connection.connection) {
      this.#again = false;
      try {
        for (const declaration of this.#streams.values()) await ensureStream(nc, declaration);
      } catch (err) {
        this.#again = true;
        if (wait === FIRST_WAIT_MS) this.#log.warn({ err }, 'streams could not be declared');
        await pause(wait, closeSignal);
        wait = Math.min(wait * 2, LAST_WAIT_MS);
      }
    }
    this.#busy = false;
  }
}
