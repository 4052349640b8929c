import { GatewayError } from '@parley/protos/errors';
import { type Extracted } from './extracted.ts';
import { DEFAULT_LIMITS, type ExtractionLimits } from './limits.ts';
import { readText } from './reading/read-text.ts';
import { readerOf } from './reading/reader-of.ts';
import { ReaderThread } from './reading/reader-thread.ts';

export { type Extracted } from './extracted.ts';
export { type ExtractionLimits } from './limits.ts';

interface Waiting {
  begin: () => void;
  refuse: (reason: Error) => void;
}

/** Reads the text of files in a worker thread, one file after the other: what a file holds cannot stop, fill or crash the process. */
export class TextExtractor {
  readonly #limits: ExtractionLimits;
  readonly #thread: ReaderThread;
  readonly #waiting: Waiting[] = [];
  #isReading = false;
  #isClosed = false;

  constructor(limits: Partial<ExtractionLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#thread = new ReaderThread(this.#limits);
  }

  /**
   * The text of a file of a type that `identify` tells: documents as text, tables as rows, slides one by one, a ZIP as the list of
   * its entries, an image as ''. Damaged, locked, too large and too costly files answer what could be read, and `omitted` says the rest.
   * Rejects with the signal's reason when it aborts, and with SERVICE_UNAVAILABLE when closed or when too many files wait.
   */
  async extract(bytes: Uint8Array, file: { name: string; mimeType: string }, signal?: AbortSignal): Promise<Extracted> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    const reader = readerOf(file);
    if (reader === 'image') return { text: '', omitted: '' };
    if (reader === undefined) return { text: '', omitted: 'Files of this type hold no text that can be read.' };
    if (bytes.byteLength > this.#limits.inputBytes) {
      return { text: '', omitted: `The file was not read: it is larger than ${this.#limits.inputBytes.toLocaleString('en')} bytes.` };
    }
    if (reader === 'text') return readText(bytes, this.#limits.outputCharacters);
    await this.#turn(signal);
    try {
      signal?.throwIfAborted();
      if (this.#isClosed) throw closed();
      return await this.#thread.read(reader, bytes, signal);
    } finally {
      this.#isReading = false;
      this.#waiting.shift()?.begin();
    }
  }

  /** Ends the thread. What still waits or is being read rejects with SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(closed());
    await this.#thread.close(closed());
  }

  /** Resolves when it is this file's turn, which the caller must give back. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#isReading) {
      this.#isReading = true;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.#limits.waiting) throw new GatewayError('SERVICE_UNAVAILABLE', 'too many files wait to be read');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason as Error);
      };
      const waiting: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', leave);
          this.#isReading = true;
          resolve();
        },
        refuse: (reason) => {
          signal?.removeEventListener('abort', leave);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}

function closed(): GatewayError {
  return new GatewayError('SERVICE_UNAVAILABLE', 'files are no longer read');
}
