// FLAC (libFLAC): lossless, at the rate of the samples.
import { registerFlacEncoder } from '@mediabunny/flac-encoder';
import { AudioSample, AudioSampleSource, BufferTarget, FlacOutputFormat, Output } from 'mediabunny';
import { blocks, toBytes } from './pcm.mjs';

/** @type {import('./encode.mjs').Encoder} */
export async function encode(samples, sampleRate) {
  registerFlacEncoder();
  const target = new BufferTarget();
  const output = new Output({ format: new FlacOutputFormat(), target });
  const source = new AudioSampleSource({ codec: 'flac' });
  output.addAudioTrack(source);
  await output.start();
  let at = 0;
  for (const block of blocks(samples)) {
    const about = { format: /** @type {const} */ ('s16'), numberOfChannels: 1, sampleRate, timestamp: at / sampleRate };
    const sample = new AudioSample({ data: toBytes(block), ...about });
    await source.add(sample);
    sample.close();
    at += block.length;
  }
  await output.finalize();
  if (!target.buffer) throw new Error('no FLAC came');
  return new Uint8Array(target.buffer);
}
