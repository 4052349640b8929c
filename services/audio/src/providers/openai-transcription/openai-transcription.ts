import { openAsBlob } from 'node:fs';
import { type Condition, GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { readJson } from '../read-json.ts';
import { type Transcript, type TranscriptionInput } from '../transcription-provider.ts';

const DEFAULT_MODEL = 'whisper-1';

/** Two hours of fast speech are a tenth of it. */
const MAX_ANSWER_BYTES = 4 * 1_024 ** 2;

const answerSchema = z.object({ text: z.string(), language: z.string().nullish().catch(null) });

/** A server that did not do it, with what chat-routing is to know of it; undefined: the connection is well all the same. */
export class TranscriptionRefused extends Error {
  readonly coded: GatewayError;
  readonly health: Condition | undefined;

  constructor(coded: GatewayError, health: Condition | undefined) {
    super(coded.message, { cause: coded });
    this.coded = coded;
    this.health = health;
  }
}

/**
 * Sends the recording as it came to `{base_url}/audio/transcriptions`. What the server says of a failure is never relayed.
 * @throws TranscriptionRefused; the signal's reason
 */
export async function transcribeRemotely(
  connection: AcquiredConnection,
  input: TranscriptionInput,
  signal: AbortSignal,
): Promise<Transcript> {
  const [model = DEFAULT_MODEL] = connection.models;
  const form = await toForm(input, model);
  try {
    const response = await fetch(`${connection.baseUrl.replace(/\/+$/, '')}/audio/transcriptions`, {
      method: 'POST',
      headers: { accept: 'application/json', ...(connection.secret && { authorization: `Bearer ${connection.secret}` }) },
      body: form,
      signal,
      // Elsewhere neither the secret nor the recording may go.
      redirect: 'error',
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refusal(response.status, response.headers.get('retry-after'));
    }
    const answer = answerSchema.safeParse(await readJson(response, MAX_ANSWER_BYTES));
    if (!answer.success)
      throw refuse('TRANSCRIPTION_FAILED', 'the transcription server gave an answer that is none', 'PROVIDER_BAD_ANSWER');
    return { text: answer.data.text.trim(), language: isoCode(answer.data.language) || input.language, model };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TranscriptionRefused) throw error;
    throw unavailable('PROVIDER_UNAVAILABLE', error);
  }
}

async function toForm({ path, type, language }: TranscriptionInput, model: string): Promise<FormData> {
  const form = new FormData();
  form.set('model', model);
  form.set('response_format', 'json');
  if (language) form.set('language', language);
  // The name is ours: a client's may say more than a stranger should know.
  form.set('file', await openAsBlob(path, { type: type.mimeType }), `recording.${type.extension}`);
  return form;
}

function refusal(status: number, retryAfter: string | null): TranscriptionRefused {
  if (status === 401 || status === 403) return unavailable('ACCOUNT_REAUTH_REQUIRED');
  if (status === 404 || status === 405) return unavailable('PROVIDER_BAD_ANSWER');
  if (status === 408 || status === 504) return refuse('TRANSCRIPTION_TIMEOUT', 'the transcription server timed out', 'PROVIDER_TIMEOUT');
  if (status === 429) {
    const retryAfterMs = /^\d{1,4}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : undefined;
    return refuse('PROVIDER_RATE_LIMITED', 'the transcription server limits this account', 'PROVIDER_RATE_LIMITED', retryAfterMs);
  }
  if (status < 500) return refuse('AUDIO_VALIDATION_FAILED', 'the transcription server does not take this recording', undefined);
  if (status === 503) return unavailable('PROVIDER_UNAVAILABLE');
  return refuse('TRANSCRIPTION_FAILED', 'the transcription server failed', 'PROVIDER_BAD_ANSWER');
}

function unavailable(health: Condition, cause?: unknown): TranscriptionRefused {
  const message = 'the transcription server cannot be used now';
  return new TranscriptionRefused(new GatewayError('TRANSCRIPTION_PROVIDER_UNAVAILABLE', message, { cause }), health);
}

function refuse(condition: Condition, message: string, health: Condition | undefined, retryAfterMs?: number): TranscriptionRefused {
  return new TranscriptionRefused(new GatewayError(condition, message, retryAfterMs === undefined ? {} : { retryAfterMs }), health);
}

/** Some servers say `en`, others `english`; only the former is passed on. */
function isoCode(language: string | null | undefined): string {
  return language && /^[a-z]{2}$/.test(language) ? language : '';
}
