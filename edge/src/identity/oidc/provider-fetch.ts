import { GatewayError } from '@parley/protos/errors';
import { type CustomFetch } from 'openid-client';

/** Longest time for one answer of a provider, in milliseconds. */
export const PROVIDER_TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1_024;
const RETRY_MS = 5_000;

/** The `fetch` for providers: with a deadline, a limited answer and no redirects. @throws GatewayError OIDC_UNAVAILABLE */
export const providerFetch: CustomFetch = async (url, { body, signal, ...options }) => {
  const deadline = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    const response = await fetch(url, {
      ...options,
      redirect: 'manual',
      signal: either,
      ...(body !== undefined && { body: body as URLSearchParams }),
    });
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw unavailable(`the provider answered ${response.status}`);
    }
    const bytes = await readBounded(response);
    return new Response(bytes.length > 0 ? bytes : null, { status: response.status, headers: response.headers });
  } catch (error) {
    throw error instanceof GatewayError ? error : unavailable('the provider does not answer', error);
  }
};

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += (piece as Uint8Array).length;
    if (size > MAX_BYTES) throw unavailable('the answer of the provider is too large');
    pieces.push(piece as Uint8Array);
  }
  return Uint8Array.from(Buffer.concat(pieces));
}

function unavailable(message: string, cause?: unknown): GatewayError {
  return new GatewayError('OIDC_UNAVAILABLE', message, { retryAfterMs: RETRY_MS, ...(cause !== undefined && { cause }) });
}
