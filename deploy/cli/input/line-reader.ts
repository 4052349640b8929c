import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { type CliEnvironment } from '../cli-environment.ts';

/** Reads lines one after the other: at a terminal each is asked for, and what is secret is not shown. */
export class LineReader {
  readonly #stderr: Writable;
  readonly #atTerminal: boolean;
  readonly #lines: Interface;
  readonly #iterator: NodeJS.AsyncIterator<string>;
  #isShown = false;

  constructor(stdin: CliEnvironment['stdin'], stderr: Writable) {
    this.#stderr = stderr;
    this.#atTerminal = stdin.isTTY === true;
    const echo = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#isShown) stderr.write(chunk);
        done();
      },
    });
    this.#lines = createInterface({ input: stdin, output: echo, terminal: this.#atTerminal });
    this.#iterator = this.#lines[Symbol.asyncIterator]();
  }

  /** The next line; empty at the end of the input. */
  async read(name: string, { isShown = false } = {}): Promise<string> {
    if (this.#atTerminal) this.#stderr.write(isShown ? `${name}: ` : `${name} (not shown, end with Enter): `);
    this.#isShown = isShown;
    const next: IteratorResult<string, undefined> = await this.#iterator.next();
    if (this.#atTerminal) this.#stderr.write('\n');
    return next.done === true ? '' : next.value.trim();
  }

  close(): void {
    this.#lines.close();
  }
}
