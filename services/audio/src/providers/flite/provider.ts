import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type PcmAudio } from '../../domain/pcm-audio.ts';
import { splitText } from '../../domain/split-text.ts';
import { type SpeechVoice } from '../../domain/voice.ts';
import { type EnginePool } from '../../engines/engine-pool.ts';
import { type ScratchSpace } from '../../engines/scratch-space.ts';
import { type SpeechContext, type SpeechProvider, type SpeechRequest } from '../speech-provider.ts';

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

/** Longest word; longer ones are split. The engine fails on longer words, and its time grows with the square of their length. */
const WORD = 60;
const LONG_WORDS = new RegExp(`\\S{${WORD}}`, 'gu');

/** Length of a piece that the engine can process for any text. */
const PIECE = 80;

/** Maximum number of characters per run of the engine; a job updates its progress between passages. */
const PASSAGE = 400;

/** Dependencies of the provider. */
interface Means {
  engines: EnginePool;
  /** Temporary folders for the text and the audio. */
  scratch: ScratchSpace;
}

/** Creates the provider of the embedded engine: flite in WebAssembly, in separate processes. */
export function fliteProvider(engines: EnginePool, scratch: ScratchSpace): SpeechProvider {
  return {
    name: 'flite',
    kind: 'embedded',
    languages: ['en'],
    options: OPTIONS,
    voices: async () => VOICES,
    speak: (request, context) => speak({ engines, scratch }, request, context),
  };
}

async function speak(means: Means, request: SpeechRequest, { signal, onProgress }: SpeechContext): Promise<PcmAudio> {
  const { input, voice: name } = request;
  const { pitch, speed = request.speed } = OPTIONS.parse(request.options);
  const features = { duration_stretch: 1 / speed, ...(pitch !== undefined && { int_f0_target_mean: pitch }) };
  const pcm: Buffer[] = [];
  let [spoken, sampleRate] = [0, VOICES.find(({ id }) => id === name)?.sampleRate ?? 16_000];
  for (const text of splitText(input.replace(LONG_WORDS, '$& '), PASSAGE)) {
    for (const part of await spokenPassage(means, { text, voice: name, features }, signal)) {
      pcm.push(Buffer.from(part.pcm));
      sampleRate = part.sampleRate;
    }
    spoken += text.length;
    onProgress(Math.min(1, spoken / input.length));
  }
  return { pcm, sampleRate };
}

interface Task {
  text: string;
  voice: string;
  features: Record<string, number>;
}

interface Spoken {
  pcm: Uint8Array;
  sampleRate: number;
}

/** Synthesizes a passage; if the engine fails, in smaller pieces: text that is not natural language can be too much for it in one run. */
async function spokenPassage(means: Means, task: Task, signal: AbortSignal): Promise<Spoken[]> {
  try {
    return [await run(means, task, signal)];
  } catch (error) {
    if (signal.aborted || task.text.length <= PIECE) throw error;
    const spoken: Spoken[] = [];
    for (const text of splitText(task.text, PIECE)) spoken.push(await run(means, { ...task, text }, signal));
    return spoken;
  }
}

async function run({ engines, scratch }: Means, task: Task, signal: AbortSignal): Promise<Spoken> {
  const hold = await scratch.createFolder();
  try {
    return await engines.run('flite', { ...task, folder: hold.folder }, signal);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new GatewayError('PROVIDER_BAD_ANSWER', 'the embedded engine could not speak this text', { cause });
  } finally {
    await hold[Symbol.asyncDispose]();
  }
}
