import { type CallInit } from '@parley/kit/rpc/call';
import { MAX_FILE_BYTES } from '@parley/kit/rpc/open-file-stream';
import { type FileHead } from '@parley/protos/asset/v1/asset';
import { type ErrorCondition } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { type EdgeConfig } from '../config.ts';
import { type FilePart } from '../middleware/multipart-form.ts';
import { type Principal } from '../middleware/principal.ts';
import { receiveFile } from '../middleware/receive-file.ts';

/** Largest recording: 25 MB, counted in powers of two. */
export const MAX_AUDIO_BYTES = 25 * 1_024 * 1_024;
/** How long storing a file and sending it to an upstream may take after it has arrived, in milliseconds. */
const STORE_MS = 120_000;

/** Returns the schema of a file in a form; `limit` is its size limit in words. */
export function fileField(limit: string) {
  return z.string().meta({ type: 'string', format: 'binary', description: `${limit}, and not empty.` });
}

/** Returns a size limit in words for a description, such as `10 MB at most`. */
export function toSizeLimitText(bytes: number): string {
  return `${bytes / (1_024 * 1_024)} MB at most`;
}

/** Schema of a form with one file, for the API description; the handler reads the form as it arrives. */
export const fileForm = z.object({ file: fileField(toSizeLimitText(MAX_FILE_BYTES)) }).meta({ id: 'FileUpload' });

/** Error codes of an upload to an upstream, in addition to those of form validation. */
export const UPLOAD_ERRORS = [
  'UNSUPPORTED_FILE_TYPE',
  'UPLOAD_FAILED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_REAUTH_REQUIRED',
  'PROVIDER_RATE_LIMITED',
] as const satisfies readonly ErrorCondition[];

/** A frame of an upload to the asset service: first the head, then chunks. */
interface UploadFrame<Head> {
  frame: { $case: 'head'; value: Head } | { $case: 'chunk'; value: Buffer };
}

/** An upload: its request, its caller and its limits. */
interface Upload<Head, T> {
  req: IncomingMessage;
  caller: Principal;
  config: EdgeConfig;
  /** Largest file. @default MAX_FILE_BYTES */
  maxBytes?: number;
  /** Returns the first frame for this file. */
  head: (file: FileHead) => Head;
  /** The method of the asset service that receives the frames. */
  method: (frames: AsyncIterable<UploadFrame<Head>>, init: CallInit) => Promise<T>;
}

/** Streams the file of a form to the asset service, with a few chunks in memory at a time. Throws as `receiveFile` and the service do. */
export function sendUpload<Head, T>({ req, caller, config, maxBytes = MAX_FILE_BYTES, head, method }: Upload<Head, T>): Promise<T> {
  const limits = { fileBytes: maxBytes, idleMs: config.bodyIdleMs };
  // The HTTP server limits how long the form may take to arrive.
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
