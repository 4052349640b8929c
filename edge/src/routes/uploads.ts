import { type IncomingMessage } from 'node:http';
import { type CallInit } from '@parley/kit/rpc/call';
import { MAX_FILE_BYTES } from '@parley/kit/rpc/open-file';
import { type FileHead } from '@parley/protos/asset/v1/asset';
import { type Condition } from '@parley/protos/errors';
import { z } from 'zod';
import { type EdgeConfig } from '../config.ts';
import { type FilePart } from '../middleware/multipart-form.ts';
import { type Principal } from '../middleware/principal.ts';
import { receiveFile } from '../middleware/receive-file.ts';

/** Largest recording: 25 MB, counted in powers of two. */
export const MAX_AUDIO_BYTES = 25 * 1_024 * 1_024;
/** How long storing a file and giving it to an upstream may take once it has arrived. */
const STORE_MS = 120_000;

/** The file of a form; `limit` is its size as the description says it. */
export function fileField(limit: string) {
  return z.string().meta({ type: 'string', format: 'binary', description: `${limit}, and not empty.` });
}

/** A size limit for a description, e.g. `10 MB at most`. */
export function sizeLimit(bytes: number): string {
  return `${bytes / (1_024 * 1_024)} MB at most`;
}

/** A form with one file; the handler reads it as it arrives. */
export const fileForm = z.object({ file: fileField(sizeLimit(MAX_FILE_BYTES)) }).meta({ id: 'FileUpload' });

/** Errors of an upload to an upstream, besides those of an invalid form. */
export const UPLOAD_ERRORS = [
  'UNSUPPORTED_FILE_TYPE',
  'UPLOAD_FAILED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_REAUTH_REQUIRED',
  'PROVIDER_RATE_LIMITED',
] as const satisfies readonly Condition[];

/** One frame of an upload, as the asset service takes it. */
interface UploadFrame<Head> {
  frame: { $case: 'head'; value: Head } | { $case: 'chunk'; value: Buffer };
}

/** An upload in progress: its caller and its limits. */
interface Upload<Head, T> {
  req: IncomingMessage;
  caller: Principal;
  config: EdgeConfig;
  /** Largest file. @default MAX_FILE_BYTES */
  maxBytes?: number;
  /** The first frame, about this file. */
  head: (file: FileHead) => Head;
  /** The method of the asset service that takes it. */
  method: (frames: AsyncIterable<UploadFrame<Head>>, init: CallInit) => Promise<T>;
}

/** Streams the file of a form to the asset service: never more of it at once than a few chunks. Throws as `receiveFile` and the service do. */
export function sendUpload<Head, T>({ req, caller, config, maxBytes = MAX_FILE_BYTES, head, method }: Upload<Head, T>): Promise<T> {
  const limits = { fileBytes: maxBytes, idleMs: config.bodyIdleMs };
  // The HTTP server bounds how long the form may take to arrive.
  const deadlineMs = config.requestTimeoutMs + STORE_MS;
  return receiveFile(req, limits, (file, signal) => method(framesOf(head, file), { caller, signal, deadlineMs }));
}

async function* framesOf<Head>(
  head: (file: FileHead) => Head,
  { fileName, declaredType, chunks }: FilePart,
): AsyncGenerator<UploadFrame<Head>> {
  yield { frame: { $case: 'head', value: head({ fileName, declaredType }) } };
  for await (const value of chunks) yield { frame: { $case: 'chunk', value } };
}
