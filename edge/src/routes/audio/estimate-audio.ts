import { expectedSpeechMs } from '@parley/protos/quotas';
import { type z } from 'zod';
import { type Amounts } from '../../quota/reservation.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input } from '../route.ts';
import { type jobParams } from './fields.ts';

/** A recording that does not say how long it is, to begin with. */
const UNKNOWN_MS = 60_000;
/** Bytes of a millisecond of MP3 at 128 kbit/s: between what is spoken into a telephone and what is recorded without loss. */
const BYTES_PER_MS = 16;

/** What speaking a text takes. */
export function estimateSpeech({ body }: { body: { input: string; speed?: number | null | undefined } }): Amounts {
  return { requests: 1, audio_ms: Math.ceil(expectedSpeechMs([...body.input].length) / (body.speed ?? 1)) };
}

/** What speaking the text of a job again takes. */
export async function estimateJob(
  { principal, params }: Pick<Input<z.output<typeof jobParams>>, 'principal' | 'params'>,
  { clients }: RouteDeps,
): Promise<Amounts> {
  const { inputCharacters } = await clients.audio.getJob({ id: params.job_id }, { caller: principal });
  return { requests: 1, audio_ms: expectedSpeechMs(inputCharacters) };
}

/** Estimate of the duration of a recording, before it is decoded. */
export function estimateRecording({ req }: Pick<Input, 'req'>): Amounts {
  const bytes = Number(req.headers['content-length'] ?? 0);
  return { requests: 1, audio_ms: bytes > 0 ? Math.ceil(bytes / BYTES_PER_MS) : UNKNOWN_MS };
}
