import { setTimeout as delay } from 'node:timers/promises';
import { GatewayError } from '@parley/protos/errors';
import type { AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { readWav } from '../../speech/wav.ts';
import type { Speech } from '../provider.ts';
import { readBounded } from '../read-bounded.ts';

/** One passage for the server. */
export interface Passage {
  input: string;
  voice: string;
  model: string;
  speed: number;
  /** Empty: none. */
  instructions: string;
}

/** Of one attempt. */
const ATTEMPT_MS = 120_000;
const ATTEMPTS = 3;
const BACKOFF_MS = 500;
/** A longer wait is the queue's, not a worker's. */
const MAX_WAIT_MS = 10_000;
/** 4,096 characters at quarter speed in 48 kHz, twice over. */
const MAX_BYTES = 256 * 1_024 ** 2;

/** Has one passage spoken; what may pass is tried again. @throws coded errors; the signal's reason */
export async function requestSpeech(connection: AcquiredConnection, passage: Passage, signal: AbortSignal): Promise<Speech> {
  for (let attempt = 1; ; attempt++) {
    try {
      return readWav(await attemptSpeech(connection, passage, signal));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = error instanceof GatewayError ? error : unreachable(error);
      const waitMs = failure.retryAfterMs ?? BACKOFF_MS * 2 ** (attempt - 1);
      if (attempt === ATTEMPTS || !failure.row.retryable || waitMs > MAX_WAIT_MS) throw failure;
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function attemptSpeech({ baseUrl, secret }: AcquiredConnection, passage: Passage, signal: AbortSignal): Promise<Buffer> {
  const { instructions, ...rest } = passage;
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'audio/wav', ...(secret !== '' && { authorization: `Bearer ${secret}` }) },
    body: JSON.stringify({ ...rest, response_format: 'wav', ...(instructions !== '' && { instructions }) }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
  });
  if (response.ok) return read(response);
  await response.body?.cancel();
  throw refusal(response);
}

async function read(response: Response): Promise<Buffer> {
  const audio = await readBounded(response, MAX_BYTES);
  if (!audio) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the speech server sent more than a text can be');
  return audio;
}

function refusal({ status, headers }: Response): GatewayError {
  const seconds = Number(headers.get('retry-after'));
  const retryAfterMs = seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {};
  if (status === 429) return new GatewayError('PROVIDER_RATE_LIMITED', 'the speech server asks to wait', retryAfterMs);
  if (status === 401 || status === 403) return new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the speech server refuses the credentials');
  if (status === 400 || status === 404 || status === 422) {
    return new GatewayError('VALIDATION_ERROR', 'the speech server does not take this voice, model or text');
  }
  return new GatewayError('PROVIDER_UNAVAILABLE', `the speech server answered ${status}`, retryAfterMs);
}

function unreachable(cause: unknown): GatewayError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  if (isLate) return new GatewayError('PROVIDER_TIMEOUT', 'the speech server did not answer in time', { cause });
  return new GatewayError('PROVIDER_UNAVAILABLE', 'the speech server cannot be reached', { cause });
}
