import { z } from 'zod';
import { trackOpenStream } from '../faults/chat-faults.ts';
import { applyOperationFault } from '../faults/operation-faults.ts';
import { sendJson } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Speeches } from '../state/speeches.ts';
import { computeFingerprint, fromPcmBytes, readWav, type PcmSamples } from './pcm-samples.ts';
import { readUploadForm } from './read-upload-form.ts';
import { sendHtmlPage } from './send-html-page.ts';

const PCM_RATE = 24_000;

const fieldsSchema = z.object({
  model: z.string().min(1),
  language: z.string().optional(),
  response_format: z.enum(['json', 'text', 'verbose_json']).default('json'),
});

/**
 * `POST /v1/audio/transcriptions`: returns the text of speech that this sandbox has synthesized, by the fingerprint of the audio. It cannot
 * transcribe any other audio.
 * @throws SandboxError 400 `invalid_request`, 413 `request_too_large`, 503 `transcription_unavailable` for other audio
 */
export async function createTranscription({ sandbox, req, res }: HttpExchange, account: AccountState): Promise<void> {
  trackOpenStream(res, account);
  const { file, fields } = await readUploadForm(req);
  const parsed = fieldsSchema.safeParse(fields);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SandboxError(400, 'invalid_request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
  }
  const { response_format: format, language = 'en' } = parsed.data;
  const met = await applyOperationFault('transcription', res, account, 'application/json');
  if (met === undefined) return;
  if (met.fault === 'wrong_type') return sendHtmlPage(res);
  const { text, sound } = recognise(sandbox.sandboxState.speeches, file);
  account.counters.transcriptions++;
  if (format === 'text') return void res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
  const duration = sound.samples.length / sound.rate;
  sendJson(res, 200, format === 'json' ? { text } : { task: 'transcribe', language, duration, text, segments: [] });
}

/** Finds the text of a WAV file, or of raw samples as the speech endpoint sends them. */
function recognise(speeches: Speeches, file: Buffer): { text: string; sound: PcmSamples } {
  const sound = readWav(file) ?? { rate: PCM_RATE, samples: fromPcmBytes(file) };
  const text = speeches.findText(computeFingerprint(sound));
  if (text === undefined) throw new SandboxError(503, 'transcription_unavailable', 'the sandbox only knows what it has spoken itself');
  return { text, sound };
}
