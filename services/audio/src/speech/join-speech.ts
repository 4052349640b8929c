import { GatewayError } from '@parley/protos/errors';
import { type PcmAudio } from '../domain/pcm-audio.ts';

/** Length of a fade in milliseconds: inaudibly short, but long enough that a cut in the middle of a wave does not click. */
const FADE_MS = 5;

/** Concatenates passages, with each joint faded. @throws PROVIDER_BAD_ANSWER when there is none, or their sample rates differ */
export function joinSpeech(parts: readonly PcmAudio[]): PcmAudio {
  const [first] = parts;
  if (!first) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent no audio');
  const { sampleRate } = first;
  if (parts.some((part) => part.sampleRate !== sampleRate)) {
    throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider changed its sample rate in the middle');
  }
  if (parts.length === 1) return first;
  const fade = Math.round((sampleRate * FADE_MS) / 1_000);
  const pcm = parts.map((part, i) => faded(Buffer.concat(part.pcm), { in: i > 0, out: i < parts.length - 1 }, fade));
  return { pcm, sampleRate };
}

function faded(pcm: Buffer, edges: { in: boolean; out: boolean }, fade: number): Buffer {
  const samples = pcm.length / 2;
  const length = Math.min(fade, Math.floor(samples / 2));
  const scale = (sample: number, factor: number) => pcm.writeInt16LE(Math.round(pcm.readInt16LE(sample * 2) * factor), sample * 2);
  for (let i = 0; i < length; i++) {
    if (edges.in) scale(i, i / length);
    if (edges.out) scale(samples - 1 - i, i / length);
  }
  return pcm;
}
