import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection } from '@parley/protos/routing/v1/routing';
import { openAsBlob } from 'node:fs';
import { readJson } from '../read-json.ts';
import { type Transcript, type TranscriptionInput } from '../transcript.ts';
import { parseTranscript } from './parse-transcript.ts';

const DEFAULT_MODEL = 'whisper-1';

/** Statuses of servers that do not support a response format. */
const NO_TIMES: ReadonlySet<number> = new Set([400, 415, 422]);

/** Maximum size of a response in bytes; the transcript of two hours of fast speech has a tenth of it. */
const MAX_ANSWER_BYTES = 4 * 1_024 ** 2;

/**
 * The transcription failed with `error`. `healthCondition` is the condition to report to chat-routing; undefined when the connection itself
 * is healthy.
 */
export class TranscriptionError extends Error {
  readonly error: GatewayError;
  readonly healthCondition: ErrorCondition | undefined;

  constructor(coded: GatewayError, health: ErrorCondition | undefined) {
    super(coded.message, { cause: coded });
    this.error = coded;
    this.healthCondition = health;
  }
}

/**
 * Sends the unmodified recording to `{base_url}/audio/transcriptions`. The server's error message is never passed on.
 * @throws TranscriptionError; the signal's reason
 */
export async function transcribeRemotely(
  connection: AcquiredConnection,
  input: TranscriptionInput,
  signal: AbortSignal,
): Promise<Transcript> {
  const [model = DEFAULT_MODEL] = connection.models;
  try {
    let response = await send(connection, await toForm(input, model), signal);
    if (input.wantsTimes && NO_TIMES.has(response.status)) {
      // A server or a model that does not support times rejects the format: requests only the text.
      await response.body?.cancel();
      response = await send(connection, await toForm({ ...input, wantsTimes: false }, model), signal);
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw refusal(response.status, response.headers.get('retry-after'));
    }
    const transcript = parseTranscript(await readJson(response, MAX_ANSWER_BYTES));
    if (!transcript) throw refuse('TRANSCRIPTION_FAILED', 'the transcription server gave an answer that is none', 'PROVIDER_BAD_ANSWER');
    return { ...transcript, language: transcript.language || input.language, model };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof TranscriptionError) throw error;
    throw unavailable('PROVIDER_UNAVAILABLE', error);
  }
}

function send({ baseUrl, secret }: AcquiredConnection, body: FormData, signal: AbortSignal): Promise<Response> {
  return fetch(`${baseUrl.replace(/\/+$/, '')}/audio/transcriptions`, {
    method: 'POST',
    headers: { accept: 'application/json', ...(secret && { authorization: `Bearer ${secret}` }) },
    body,
    signal,
    // A redirect must send neither the secret nor the recording elsewhere.
    redirect: 'error',
  });
}

async function toForm({ path, type, language, wantsTimes }: TranscriptionInput, model: string): Promise<FormData> {
  const form = new FormData();
  form.set('model', model);
  form.set('response_format', wantsTimes ? 'verbose_json' : 'json');
  if (wantsTimes) for (const kind of ['segment', 'word']) form.append('timestamp_granularities[]', kind);
  if (language) form.set('language', language);
  // Replaces the client's file name, which may contain private information.
  form.set('file', await openAsBlob(path, { type: type.mimeType }), `recording.${type.extension}`);
  return form;
}

function refusal(status: number, retryAfter: string | null): TranscriptionError {
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

function unavailable(health: ErrorCondition, cause?: unknown): TranscriptionError {
  const message = 'the transcription server cannot be used now';
  return new TranscriptionError(new GatewayError('TRANSCRIPTION_PROVIDER_UNAVAILABLE', message, { cause }), health);
}

function refuse(condition: ErrorCondition, message: string, health: ErrorCondition | undefined, retryAfterMs?: number): TranscriptionError {
  return new TranscriptionError(new GatewayError(condition, message, retryAfterMs === undefined ? {} : { retryAfterMs }), health);
}
