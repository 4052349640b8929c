import { GatewayError } from '@parley/protos/errors';
import { type IncomingHttpHeaders } from 'node:http';
import { availableParallelism } from 'node:os';
import { FairQueue } from './fair-queue.ts';
import { type LargeChat } from './read-large-chat.ts';
import { ReaderThread } from './reader-thread.ts';

/** Most waiting bodies of one workspace; those in progress are also limited by their bytes. */
export const MAX_WAITING_PER_WORKSPACE = 64;
/** Most waiting bodies of all workspaces together. */
export const MAX_WAITING = 1_024;
const MAX_THREADS = 2;
const RETRY_MS = 1_000;

/** A large body, its headers and its workspace. */
export interface LargeBody {
  workspaceId: string;
  /** The bytes in order; each piece has its own ArrayBuffer. */
  pieces: readonly Buffer[];
  headers: IncomingHttpHeaders;
  /** False when the client has left. */
  isClientConnected: () => boolean;
}

/** The part of ReaderThread that the pool uses; a reader handles one body at a time. */
export type LargeBodyReader = Pick<ReaderThread, 'read' | 'close'>;

interface Waiting {
  body: LargeBody;
  resolve: (chat: LargeChat) => void;
  reject: (reason: unknown) => void;
}

/** Reads large chat bodies in a few worker threads; the workspaces are served in turn. */
export class LargeBodyPool {
  readonly #free: LargeBodyReader[];
  readonly #all: readonly LargeBodyReader[];
  readonly #queue = new FairQueue<Waiting>();
  #isClosed = false;

  constructor(readers: readonly LargeBodyReader[] = threads()) {
    this.#all = readers;
    this.#free = [...readers];
  }

  /**
   * Reads a body. Rejects as `readLargeChat` throws; with RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when too many wait, with CANCELLED
   * when its client has left.
   */
  read(body: LargeBody): Promise<LargeChat> {
    if (this.#queue.sizeOf(body.workspaceId) >= MAX_WAITING_PER_WORKSPACE) return Promise.reject(tooMany('RATE_LIMIT_EXCEEDED'));
    if (this.#isClosed || this.#queue.size >= MAX_WAITING) return Promise.reject(tooMany('SERVICE_UNAVAILABLE'));
    return new Promise((resolve, reject) => {
      this.#queue.push(body.workspaceId, { body, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (let left = this.#queue.shift(); left; left = this.#queue.shift()) left.reject(tooMany('SERVICE_UNAVAILABLE'));
    await Promise.all(this.#all.map((reader) => reader.close()));
  }

  #next(): void {
    const reader = this.#free.at(-1);
    const next = reader && this.#queue.shift();
    if (!next) return;
    if (!next.body.isClientConnected()) {
      next.reject(new GatewayError('CANCELLED', 'the client went away'));
      return this.#next();
    }
    this.#free.pop();
    const { pieces, headers } = next.body;
    const over = () => {
      this.#free.push(reader);
      this.#next();
    };
    reader.read({ pieces, headers }).then(next.resolve, next.reject).finally(over).catch(next.reject);
  }
}

/** Starts up to two threads, and leaves one core to the event loop. */
function threads(): ReaderThread[] {
  const count = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));
  return Array.from({ length: count }, () => new ReaderThread());
}

function tooMany(condition: 'RATE_LIMIT_EXCEEDED' | 'SERVICE_UNAVAILABLE'): GatewayError {
  return new GatewayError(condition, 'too many large requests wait', { retryAfterMs: RETRY_MS });
}
