import { type AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { parseErrorBody } from './parse-error-body.ts';

/**
 * Calls ElevenLabs' API with the key of the connection; a body makes it a POST request.
 * @throws the error of an error response (`readRefusal`); the errors of fetch
 */
export async function callElevenLabs(connection: AcquiredConnection, path: string, signal: AbortSignal, body?: unknown): Promise<Response> {
  const { baseUrl, secret } = connection;
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
    headers: { 'xi-api-key': secret, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    // Neither the key nor the text may be sent to another host.
    redirect: 'error',
    signal,
  });
  if (!response.ok) throw await parseErrorBody(response);
  return response;
}
