import { type ServerResponse } from 'node:http';
import { z } from 'zod';
import { trackOpenStream } from '../faults/chat-faults.ts';
import { applyOperationFault, type AppliedFault } from '../faults/operation-faults.ts';
import { destroyAfterWrites } from '../generation/stream-generation.ts';
import { readJson } from '../http/read-json.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { computeFingerprint, readWav, resample, toPcmBytes } from './pcm-samples.ts';
import { sendHtmlPage } from './send-html-page.ts';
import { findFliteVoice } from './voices.ts';

const LONGEST_INPUT = 4_096;
/** Sample rate of raw samples in the OpenAI API, in Hz. */
const PCM_RATE = 24_000;
const TYPES = { wav: 'audio/wav', pcm: 'audio/pcm' } as const;

const speechSchema = z.object({
  model: z.string().min(1),
  input: z.string().min(1).max(LONGEST_INPUT),
  voice: z.string(),
  response_format: z.enum(['wav', 'pcm']).default('wav'),
  speed: z.number().min(0.25).max(4).default(1),
});

/**
 * `POST /v1/audio/speech`: sends real audio, as a WAV file or as raw samples.
 * @throws SandboxError 400 `invalid_request` for an unsupported voice or format, or more than 4,096 characters
 */
export async function createSpeech({ sandbox, req, res }: HttpExchange, account: AccountState): Promise<void> {
  trackOpenStream(res, account);
  const { input, voice: name, response_format: format, speed } = await readJson(req, speechSchema);
  const voice = findFliteVoice(name);
  if (voice === undefined) throw new SandboxError(400, 'invalid_request', 'voice: there is no such voice');
  const met = await applyOperationFault('speech', res, account, TYPES[format]);
  if (met === undefined) return;
  const wav = await sandbox.speechSynthesizer.synthesize({ text: input, voice, speed });
  const sound = readWav(wav);
  if (sound === undefined) throw new Error('flite wrote something that is no WAV file');
  const raw = resample(sound, PCM_RATE);
  sandbox.sandboxState.record({ type: 'spoken', fingerprints: [computeFingerprint(sound), computeFingerprint(raw)], text: input });
  account.counters.speeches++;
  sendSound(res, TYPES[format], format === 'wav' ? wav : toPcmBytes(raw), met);
}

function sendSound(res: ServerResponse, type: string, bytes: Buffer, { fault }: AppliedFault): void {
  if (res.destroyed) return;
  if (fault === 'wrong_type') return sendHtmlPage(res);
  res.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length });
  if (fault !== 'cut') return void res.end(bytes);
  res.write(bytes.subarray(0, bytes.length / 2));
  destroyAfterWrites(res);
}
