import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Busboy, type FileInfo } from 'busboy';
import { type IncomingMessage } from 'node:http';
import { type Readable } from 'node:stream';
import { invalidForm, openFormParser, FORM_OVERHEAD_BYTES, fileTooLarge } from './open-form-parser.ts';

/** Limits of a form with a file. */
export interface FormLimits {
  /** Largest size of the file, in bytes. */
  fileBytes: number;
  /** How long the client may pause, in milliseconds. */
  idleMs: number;
  /** Names of the text fields that are kept. @default none */
  fields?: readonly string[];
}

/** A file part may have no name, which the types of the parser do not express. */
type Part = Omit<FileInfo, 'filename'> & { filename: string | undefined };

/** The file of a form, with the name and type that the client gave. */
export interface FilePart {
  fileName: string;
  declaredType: string;
  /**
   * The text fields that have arrived so far; those after the file are present once `chunks` has ended. Several values of a `name[]` are
   * joined with commas.
   */
  fields: ReadonlyMap<string, string>;
  /** Its bytes, in chunks of at most 64 KiB. Ends when the whole form has been read; throws the failure of the form. */
  chunks: AsyncIterable<Buffer>;
}

const CHUNK_BYTES = 64 * 1_024;
const MAX_NAME = 200;

/**
 * Reads a request body that is a form with one file named `file`, as fast as the file is consumed; other fields are ignored. A failure of
 * the form or its client ends it: the reader of the file gets the failure, and `signal` aborts. The constructor throws
 * UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR or FILE_TOO_LARGE when the request head shows the error.
 */
export class MultipartForm {
  /** Resolves with the file part when it begins; rejects with the failure. */
  readonly file: Promise<FilePart>;
  /** VALIDATION_ERROR, FILE_TOO_LARGE, REQUEST_TIMEOUT, or CANCELLED when the client disconnected; undefined while there is no failure. */
  failure: GatewayError | undefined;
  readonly #req: IncomingMessage;
  readonly #limits: FormLimits;
  readonly #parser: Busboy;
  readonly #abort = new AbortController();
  readonly #fields = new Map<string, string>();
  readonly #whole: Promise<void>;
  #begin: (file: FilePart) => void = () => undefined;
  #complete: () => void = () => undefined;
  #stream: Readable | undefined;
  #idle: NodeJS.Timeout | undefined;
  #received = 0;
  #closed = false;

  constructor(req: IncomingMessage, limits: FormLimits) {
    this.#req = req;
    this.#limits = limits;
    this.#parser = openFormParser(req, limits.fileBytes);
    this.file = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.signal.addEventListener('abort', () => reject(toGatewayError(this.failure)), { once: true });
    });
    this.#whole = new Promise((resolve, reject) => {
      this.#complete = resolve;
      this.signal.addEventListener('abort', () => reject(toGatewayError(this.failure)), { once: true });
    });
    // A rejection that has no listener yet must not end the process.
    this.file.catch(() => undefined);
    this.#whole.catch(() => undefined);
    this.#watchParser();
    this.#watchClient();
  }

  /** Aborts when the form fails or its client disconnects, until the form is closed. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Stops reading; the rest is discarded, so that the answer can be read on the same connection. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#req.off('data', this.#take).off('end', this.#end).off('error', this.#gone);
    this.#req.socket.off('close', this.#gone);
    // The parser is not destroyed: destroying it within one of its events makes it throw.
    this.#stream?.destroy();
    this.#req.resume();
  }

  #watchParser(): void {
    this.#parser
      .on('file', (name, stream, info) => this.#takeFile(name, stream, info))
      .on('field', (name: string | undefined, value, { valueTruncated }) => {
        if (valueTruncated || (name?.length ?? 0) > MAX_NAME) this.#fail(invalidForm('body', 'a field of the form is too long'));
        else if (name !== undefined && this.#limits.fields?.includes(name)) this.#takeField(name, value);
      })
      .on('fieldsLimit', () => this.#fail(invalidForm('body', 'the form has too many fields')))
      .on('partsLimit', () => this.#fail(invalidForm('body', 'the form has too many fields')))
      .on('error', () => this.#fail(invalidForm('body', 'the form is cut short or malformed')))
      .on('finish', () => {
        if (this.#stream) this.#complete();
        else this.#fail(invalidForm('file', 'the form has no file named file'));
      });
  }

  #watchClient(): void {
    this.#patience();
    this.#req.on('data', this.#take).on('end', this.#end).on('error', this.#gone);
    // The request closes when its last byte has been read, while the client still waits for the answer; so the socket is watched.
    this.#req.socket.on('close', this.#gone);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#received += chunk.length;
    if (this.#received > this.#limits.fileBytes + FORM_OVERHEAD_BYTES) return this.#fail(fileTooLarge(this.#limits.fileBytes));
    if (this.#parse(() => this.#parser.write(chunk))) return this.#patience();
    if (this.#closed) return;
    // The receiver is slower than the client, whose idle time is not counted now.
    clearTimeout(this.#idle);
    this.#req.pause();
    this.#parser.once('drain', () => {
      if (this.#closed) return;
      this.#patience();
      this.#req.resume();
    });
  };

  readonly #end = (): void => {
    clearTimeout(this.#idle);
    this.#parse(() => this.#parser.end());
  };

  /** Calls the parser; an exception of it fails the form and does not end the process. */
  #parse<T>(step: () => T): T | undefined {
    try {
      return step();
    } catch {
      this.#fail(invalidForm('body', 'the form is cut short or malformed'));
      return undefined;
    }
  }

  readonly #gone = (): void => this.#fail(new GatewayError('CANCELLED', 'the client went away'));

  #takeField(name: string, value: string): void {
    const known = this.#fields.get(name);
    if (known === undefined) this.#fields.set(name, value);
    // A name that ends in brackets may have several values.
    else if (name.endsWith('[]')) this.#fields.set(name, `${known},${value}`);
    else this.#fail(invalidForm(name, `${name}: given more than once`));
  }

  #takeFile(name: string | undefined, stream: Readable, info: Part): void {
    // An error event without a listener would end the process.
    stream.on('error', () => undefined);
    if (this.#closed) return;
    if (name !== 'file') return this.#fail(invalidForm('file', 'the file of the form must be named file'));
    if (this.#stream) return this.#fail(invalidForm('file', 'the form has more than one file'));
    this.#stream = stream;
    stream.on('limit', () => this.#fail(fileTooLarge(this.#limits.fileBytes)));
    this.#begin({
      fileName: info.filename ?? '',
      declaredType: info.mimeType,
      fields: this.#fields,
      chunks: this.#chunksOf(stream),
    });
  }

  async *#chunksOf(stream: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
    }
    // The file is complete only when the form after it is valid.
    await this.#whole;
  }

  #patience(): void {
    clearTimeout(this.#idle);
    const late = () => this.#fail(new GatewayError('REQUEST_TIMEOUT', 'the body did not arrive in time'));
    if (!this.#closed) this.#idle = setTimeout(late, this.#limits.idleMs);
  }

  #fail(failure: GatewayError): void {
    if (this.#closed) return;
    this.failure = failure;
    this.#stream?.destroy(failure);
    this.#abort.abort(failure);
    this.close();
  }
}
