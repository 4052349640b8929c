import { type IncomingMessage } from 'node:http';
import { type FilePart, type FormLimits, MultipartForm } from './multipart-form.ts';

/**
 * Sends the file of a form on as it arrives; `send` is given a signal that aborts when the form fails or its client goes away.
 * What is wrong with the form comes before what `send` makes of it; throws as MultipartForm does, and what `send` throws.
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
