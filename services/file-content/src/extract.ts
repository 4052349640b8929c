import { GatewayError } from '@parley/protos/errors';
import { type ExtractedText, type ReadingStats } from './extracted-text.ts';
import { DEFAULT_EXTRACTION_LIMITS, type ExtractionLimits } from './limits.ts';
import { FairQueue } from './queue/fair-queue.ts';
import { type ReaderFormat, findReader } from './reading/find-reader.ts';
import { readText } from './reading/read-text.ts';
import { ReaderProcess } from './reading/reader-process.ts';

export { type ExtractedText, type ReadingStats } from './extracted-text.ts';
export { type ExtractionLimits } from './limits.ts';

/** A file to read, and the workspace to which it belongs. */
export interface ExtractionFile {
  name: string;
  mimeType: string;
  workspaceId: string;
}

/** The outcome of reading a file in a reader process. */
export interface ReadingReport {
  workspaceId: string;
  reader: ReaderFormat;
  /** `stopped`: it exceeded a limit, and its process was killed; `aborted`: its signal was aborted. */
  outcome: 'read' | 'stopped' | 'aborted';
  work?: ReadingStats;
}

/**
 * Reads the text of files in separate processes, which are killed when a file exceeds a limit: no content of a file can block, fill or
 * crash this process. Workspaces take turns, and none can use all readers or the whole queue (ADR 0042).
 */
export class TextExtractor {
  readonly #limits: ExtractionLimits;
  readonly #readers: readonly ReaderProcess[];
  readonly #queue: FairQueue;
  readonly #onRead: (report: ReadingReport) => void;
  #isClosed = false;

  /** `onRead` is called after every file that a reader process has handled. */
  constructor(limits: Partial<ExtractionLimits> = {}, onRead: (report: ReadingReport) => void = () => undefined) {
    this.#limits = { ...DEFAULT_EXTRACTION_LIMITS, ...limits };
    this.#onRead = onRead;
    const { readers, waiting: files, waitingBytes: bytes, workspaceShare } = this.#limits;
    this.#readers = Array.from({ length: readers }, () => new ReaderProcess(this.#limits));
    this.#queue = new FairQueue({
      running: readers,
      runningOfWorkspace: Math.max(1, readers - 1),
      waiting: { files, bytes },
      waitingOfWorkspace: { files: Math.ceil(files * workspaceShare), bytes: bytes * workspaceShare },
    });
  }

  /**
   * Returns the text of a file of a type that `identifyFileType` supports: documents as text, tables as rows, slides one by one, a ZIP as
   * the list of its entries, an image as ''. Damaged, locked and too large files resolve with what could be read, and `omitted` describes
   * the rest. Throws the signal's reason when it aborts.
   * @throws VALIDATION_ERROR for a file whose reader had to be killed, RATE_LIMIT_EXCEEDED when too many files of the workspace wait,
   * SERVICE_UNAVAILABLE when too many wait in total, and when closed
   */
  async extract(bytes: Uint8Array, file: ExtractionFile, signal?: AbortSignal): Promise<ExtractedText> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closed();
    const reader = findReader(file);
    if (reader === 'image') return { text: '', omitted: '' };
    if (reader === undefined) return { text: '', omitted: 'Files of this type hold no text that can be read.' };
    if (bytes.byteLength > this.#limits.inputBytes) {
      return { text: '', omitted: `The file was not read: it is larger than ${this.#limits.inputBytes.toLocaleString('en')} bytes.` };
    }
    if (reader === 'text') return readText(bytes, this.#limits.outputCharacters);
    const { workspaceId } = file;
    return this.#queue.run({ workspaceId, bytes: bytes.byteLength }, () => this.#read(reader, bytes, workspaceId, signal), signal);
  }

  /** Ends the readers. Files that wait or are being read reject with SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.close(closed());
    await Promise.all(this.#readers.map((reader) => reader.close(closed())));
  }

  async #read(reader: ReaderFormat, bytes: Uint8Array, workspaceId: string, signal: AbortSignal | undefined): Promise<ExtractedText> {
    try {
      const { text, omitted, work } = await this.#freeReader().read(reader, bytes, signal);
      this.#onRead({ workspaceId, reader, outcome: 'read', ...(work && { work }) });
      return { text, omitted };
    } catch (error) {
      this.#onRead({ workspaceId, reader, outcome: signal?.aborted ? 'aborted' : 'stopped' });
      throw error;
    }
  }

  /** Returns a free reader, preferably one that is already started. The queue admits no more files than there are readers. */
  #freeReader(): ReaderProcess {
    const free = this.#readers.filter(({ isBusy }) => !isBusy);
    const reader = free.find(({ isStarted }) => isStarted) ?? free[0];
    if (!reader) throw new GatewayError('INTERNAL_ERROR', 'more files are read than there are readers');
    return reader;
  }
}

function closed(): GatewayError {
  return new GatewayError('SERVICE_UNAVAILABLE', 'files are no longer read');
}
