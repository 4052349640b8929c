import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type PcmAudio } from '../../domain/pcm-audio.ts';
import { splitText } from '../../domain/split-text.ts';
import { type AdmissionQueue } from '../../engines/admission-queue.ts';
import { runProgram } from '../../engines/run-program.ts';
import { joinSpeech } from '../../speech/join-speech.ts';
import { readWav } from '../../speech/wav.ts';
import { type SpeechContext, type SpeechProvider, type SpeechRequest } from '../speech-provider.ts';
import { type EspeakInstallation } from './find-espeak.ts';

const OPTIONS = z.strictObject({
  rate: z.number().int().min(80).max(450).optional().describe('How fast it speaks, in words per minute.'),
  pitch: z.number().int().min(0).max(99).optional().describe('How high it speaks; 50 is as the voice was made.'),
});

/** Default, minimum and maximum rate in words per minute. */
const [USUAL, SLOWEST, FASTEST] = [175, 80, 450];

/** Maximum number of characters per run of the program; a job updates its progress between passages. */
const PASSAGE = 400;

/** Limits of a run; the audio may have about 25 minutes, far more than usual. */
const BOUNDS = { maxBytes: 64 * 1_024 ** 2, timeoutMs: 60_000 };

/**
 * Creates the provider that uses the installed espeak-ng: one process for each passage, limited by `limiter`. It is under the GPL, so the
 * operator installs it.
 */
export function espeakProvider({ program, voices }: EspeakInstallation, limiter: AdmissionQueue): SpeechProvider {
  return {
    name: 'espeak',
    kind: 'embedded',
    languages: [...new Set(voices.map(({ language }) => language))],
    options: OPTIONS,
    voices: async () => voices,
    speak: (request, context) => speak(program, limiter, request, context),
  };
}

async function speak(program: string, limiter: AdmissionQueue, request: SpeechRequest, context: SpeechContext): Promise<PcmAudio> {
  const { caller, signal, onProgress } = context;
  const args = toArguments(request);
  const parts: PcmAudio[] = [];
  let spoken = 0;
  const admission = limiter.admit(caller.workspaceId);
  try {
    for (const text of splitText(request.input, PASSAGE)) {
      parts.push(await admission.run(() => spokenPassage(program, args, text, signal), signal));
      spoken += text.length;
      onProgress(Math.min(1, spoken / request.input.length));
    }
  } finally {
    admission[Symbol.dispose]();
  }
  return joinSpeech(parts);
}

/** Returns the program's arguments, without the text: every user of the machine can read arguments. */
function toArguments({ voice, speed, options }: SpeechRequest): string[] {
  const { rate = Math.round(USUAL * speed), pitch } = OPTIONS.parse(options);
  const args = ['--stdin', '--stdout', '-b', '1', '-v', voice, '-s', String(Math.min(FASTEST, Math.max(SLOWEST, rate)))];
  return pitch === undefined ? args : [...args, '-p', String(pitch)];
}

async function spokenPassage(program: string, args: readonly string[], input: string, signal: AbortSignal): Promise<PcmAudio> {
  try {
    return readWav(await runProgram({ program, args, input, ...BOUNDS }, signal));
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const isGone = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (isGone) throw new GatewayError('PROVIDER_UNAVAILABLE', 'espeak is not on this machine any more', { cause });
    throw new GatewayError('PROVIDER_BAD_ANSWER', 'espeak could not speak this text', { cause });
  }
}
