import { estimateSpeechMs } from '@parley/protos/quotas';
import { type z } from 'zod';
import { type MetricAmounts } from '../../quota/quota-reservation.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input } from '../route.ts';
import { type jobParams } from './fields.ts';

/** Estimated duration of a recording of unknown size, in milliseconds. */
const UNKNOWN_MS = 60_000;
/** Bytes per millisecond of MP3 at 128 kbit/s, which is between telephone quality and lossless recordings. */
const BYTES_PER_MS = 16;

/** Returns the amounts to reserve for speaking a text. */
export function estimateSpeechAmounts({ body }: { body: { input: string; speed?: number | null | undefined } }): MetricAmounts {
  return { requests: 1, audio_ms: Math.ceil(estimateSpeechMs([...body.input].length) / (body.speed ?? 1)) };
}

/** Returns the amounts to reserve for retrying a job. */
export async function estimateJobRetryAmounts(
  { principal, params }: Pick<Input<z.output<typeof jobParams>>, 'principal' | 'params'>,
  { clients }: RouteDeps,
): Promise<MetricAmounts> {
  const { inputCharacters } = await clients.audio.getJob({ id: params.job_id }, { caller: principal });
  return { requests: 1, audio_ms: estimateSpeechMs(inputCharacters) };
}

/** Returns the amounts to reserve for the transcription of a recording, estimated from its size before it is decoded. */
export function estimateTranscriptionAmounts({ req }: Pick<Input, 'req'>): MetricAmounts {
  const bytes = Number(req.headers['content-length'] ?? 0);
  return { requests: 1, audio_ms: bytes > 0 ? Math.ceil(bytes / BYTES_PER_MS) : UNKNOWN_MS };
}
