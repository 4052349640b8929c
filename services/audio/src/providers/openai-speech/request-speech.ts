import { GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { type PcmAudio } from '../../domain/pcm-audio.ts';
import { readWav } from '../../speech/wav.ts';
import { readBoundedBody } from '../read-bounded-body.ts';
import { withRetries } from '../with-retries.ts';

/** One passage of text with its settings. */
export interface Passage {
  input: string;
  voice: string;
  model: string;
  speed: number;
  /** Empty for none. */
  instructions: string;
}

/** Maximum size of the audio in bytes: twice that of 4,096 characters at quarter speed in 48 kHz. */
const MAX_BYTES = 256 * 1_024 ** 2;

/** Synthesizes one passage; repeats attempts that fail temporarily. @throws coded errors; the signal's reason */
export async function requestSpeech(connection: AcquiredConnection, passage: Passage, signal: AbortSignal): Promise<PcmAudio> {
  return withRetries(signal, async (attempt) => readWav(await attemptSpeech(connection, passage, attempt)));
}

async function attemptSpeech({ baseUrl, secret }: AcquiredConnection, passage: Passage, signal: AbortSignal): Promise<Buffer> {
  const { instructions, ...rest } = passage;
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'audio/wav', ...(secret !== '' && { authorization: `Bearer ${secret}` }) },
    body: JSON.stringify({ ...rest, response_format: 'wav', ...(instructions !== '' && { instructions }) }),
    redirect: 'error',
    signal,
  });
  if (response.ok) return read(response);
  await response.body?.cancel();
  throw refusal(response);
}

async function read(response: Response): Promise<Buffer> {
  const audio = await readBoundedBody(response, MAX_BYTES);
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
