import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { splitText } from '../../domain/split-text.ts';
import type { SpeechVoice } from '../../domain/voice.ts';
import type { Threads } from '../../threads/threads.ts';
import type { Speech, SpeechContext, SpeechProvider, SpeechRequest } from '../provider.ts';

const voice = (id: string, name: string, dialect: string, gender: SpeechVoice['gender'], sampleRate = 16_000): SpeechVoice => ({
  ...{ id, name, language: 'en', dialect, gender, sampleRate },
});

const VOICES = [
  voice('slt', 'SLT', 'en-US', 'female'),
  voice('rms', 'RMS', 'en-US', 'male'),
  voice('awb', 'AWB', 'en-GB', 'male'),
  voice('kal16', 'KAL 16 kHz', 'en-US', 'male'),
  voice('kal', 'KAL', 'en-US', 'male', 8_000),
];

const OPTIONS = z.strictObject({
  pitch: z.number().min(50).max(400).optional().describe('Mean pitch of the voice in Hz.'),
  speed: z.number().min(0.25).max(4).optional().describe('How fast it speaks; 1 is as the voice was recorded.'),
});

/** What is spoken in one run of the engine: long words cost it time with their square, and between passages a job shows its progress. */
const PASSAGE = 400;

/** The embedded engine: flite in WebAssembly, in threads of this process. */
export function fliteProvider(threads: Threads): SpeechProvider {
  return {
    name: 'flite',
    kind: 'embedded',
    languages: ['en'],
    options: OPTIONS,
    unavailable: async () => undefined,
    voices: async () => VOICES,
    speak: (request, context) => speak(threads, request, context),
  };
}

async function speak(threads: Threads, request: SpeechRequest, { signal, onProgress }: SpeechContext): Promise<Speech> {
  const { input, voice: name } = request;
  const { pitch, speed = request.speed } = OPTIONS.parse(request.options);
  const features = { duration_stretch: 1 / speed, ...(pitch !== undefined && { int_f0_target_mean: pitch }) };
  const pcm: Buffer[] = [];
  let [spoken, sampleRate] = [0, VOICES.find(({ id }) => id === name)?.sampleRate ?? 16_000];
  for (const text of splitText(input, PASSAGE)) {
    const part = await run(threads, { text, voice: name, features }, signal);
    pcm.push(Buffer.from(part.pcm));
    sampleRate = part.sampleRate;
    spoken += text.length;
    onProgress(spoken / input.length);
  }
  return { pcm, sampleRate };
}

async function run(threads: Threads, task: object, signal: AbortSignal): Promise<{ pcm: ArrayBuffer; sampleRate: number }> {
  try {
    return await threads.run('flite', task, signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new GatewayError('PROVIDER_BAD_ANSWER', 'the embedded engine could not speak this text', { cause });
  }
}
