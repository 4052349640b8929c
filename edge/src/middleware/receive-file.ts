import { type IncomingMessage } from 'node:http';
import { type FilePart, type FormLimits, MultipartForm } from './multipart-form.ts';

/**
 * Reads the file of a multipart body and passes it to `send`, whose signal aborts when the form fails or its client disconnects. Resolves
 * with the result of `send`. Throws as MultipartForm does, or what `send` throws; a failure of the form takes precedence.
 */
export async function receiveFile<T>(
  req: IncomingMessage,
  limits: FormLimits,
  send: (file: FilePart, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const form = new MultipartForm(req, limits);
  try {
    return await send(await form.file, form.signal);
  } catch (error) {
    throw form.failure ?? error;
  } finally {
    form.close();
  }
}
