import { GatewayError } from '@parley/protos/errors';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ExtractedText, type ReadingStats } from '../extracted-text.ts';
import { type ExtractionLimits } from '../limits.ts';
import { type ReaderFormat } from './find-reader.ts';

const WORKER = fileURLToPath(new URL('../../worker/read-file.mjs', import.meta.url));
/** Signals of a process that was killed from outside, or by V8 itself when its heap is full. */
const OUT_OF_MEMORY: readonly (NodeJS.Signals | null)[] = ['SIGKILL', 'SIGABRT'];
const DAMAGED = 'The file could not be read: it is damaged.';

/** The result of a reader. `work` is absent when the process ended before it could report it. */
export interface ReaderResult extends ExtractedText {
  work?: ReadingStats;
}

interface Answer extends ExtractedText {
  work: ReadingStats;
  residentBytes: number;
}

interface Open {
  resolve: (reading: ReaderResult) => void;
  reject: (reason: Error) => void;
  stopWatching: () => void;
}

/** A process that reads one file at a time. It is started when needed, and killed when a file takes too long or too much memory. */
export class ReaderProcess {
  readonly #limits: ExtractionLimits;
  #child: ChildProcess | undefined;
  #open: Open | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: ExtractionLimits) {
    this.#limits = limits;
  }

  get isBusy(): boolean {
    return this.#open !== undefined;
  }

  get isStarted(): boolean {
    return this.#child !== undefined;
  }

  /**
   * Reads a file. The caller must wait for one reading to end before it starts the next. Throws the signal's reason, and that of `close`.
   * @throws VALIDATION_ERROR for a file that takes too long or too much memory, SERVICE_UNAVAILABLE when the process cannot be started
   */
  read(reader: ReaderFormat, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<ReaderResult> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#open = { resolve, reject, stopWatching: this.#watch(signal) };
      this.#child ??= this.#start();
      // A failed send shows as the end of the process.
      this.#child.send({ reader, bytes, limits: this.#limits }, () => undefined);
    });
  }

  /** Kills the process; a file that is being read is rejected with the reason. Resolves when the process has ended. */
  async close(reason: Error): Promise<void> {
    this.#take()?.reject(reason);
    await this.#kill();
  }

  /** Starts the timeout and listens to the signal; the returned function stops both. */
  #watch(signal: AbortSignal | undefined): () => void {
    const { timeMs } = this.#limits;
    const stop = (reason: Error): void => {
      const open = this.#take();
      void this.#kill();
      open?.reject(reason);
    };
    const abort = (): void => stop(signal?.reason as Error);
    const timer = setTimeout(() => stop(tooCostly(`the file takes longer than ${timeMs} ms to read`)), timeMs);
    signal?.addEventListener('abort', abort, { once: true });
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  }

  #start(): ChildProcess {
    const { memoryMb } = this.#limits;
    const child = fork(WORKER, [String(memoryMb)], {
      // A process that reads client files gets no environment, as that contains the secrets of this process.
      env: {},
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    child.on('message', (answer: Answer) => {
      if (this.#child === child) this.#finish(answer);
    });
    child.on('error', (cause) => {
      const unavailable = new GatewayError('SERVICE_UNAVAILABLE', 'no process could be started to read the file', { cause });
      this.#lost(child)?.reject(unavailable);
    });
    child.on('exit', (_code, by) => {
      const open = this.#lost(child);
      if (OUT_OF_MEMORY.includes(by)) open?.reject(tooCostly(`the file takes more than ${memoryMb} MiB of memory to read`));
      else open?.resolve({ text: '', omitted: DAMAGED });
    });
    return child;
  }

  #finish({ residentBytes, ...reading }: Answer): void {
    // A process that has grown is replaced: the next file would be charged for its memory.
    const isLarge = residentBytes > (this.#limits.memoryMb / 2) * 2 ** 20;
    if (isLarge) void this.#kill();
    else this.#idle = setTimeout(() => void this.#kill(), this.#limits.idleMs).unref();
    this.#take()?.resolve(reading);
  }

  #lost(child: ChildProcess): Open | undefined {
    if (this.#child !== child) return undefined;
    this.#child = undefined;
    return this.#take();
  }

  #take(): Open | undefined {
    const open = this.#open;
    this.#open = undefined;
    open?.stopWatching();
    return open;
  }

  async #kill(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

function tooCostly(message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param: 'file' });
}
