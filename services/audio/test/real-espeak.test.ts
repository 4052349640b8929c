import { expect, it } from '@jest/globals';
import { AdmissionQueue } from '../src/engines/admission-queue.ts';
import { findEspeak } from '../src/providers/espeak/find-espeak.ts';
import { espeakProvider } from '../src/providers/espeak/provider.ts';
import { newCaller, SILENT } from './fixture.ts';

const found = await findEspeak({ espeak: 'auto', path: process.env['PATH'] ?? '' }, SILENT);

/** How long it takes to say something, in seconds; and the loudest sample. */
async function spoken(input: string, voice: string, options: object = {}) {
  if (!found) throw new Error('there is no espeak');
  const provider = espeakProvider(found, new AdmissionQueue({ maxRunning: 1, maxRunningPerWorkspace: 1 }));
  const context = { caller: newCaller(), signal: new AbortController().signal, onProgress: () => undefined };
  const { pcm, sampleRate } = await provider.speak({ input, voice, model: '', language: '', speed: 1, options }, context);
  const bytes = Buffer.concat(pcm);
  const samples = Array.from({ length: bytes.length / 2 }, (_, at) => Math.abs(bytes.readInt16LE(at * 2)));
  return { seconds: samples.length / sampleRate, peak: samples.reduce((most, one) => Math.max(most, one), 0) };
}

const reason = found ? '' : ' (skipped: no espeak-ng on PATH)';

(found ? it : it.skip)(`a real espeak speaks, the slower the longer${reason}`, async () => {
  const usual = await spoken('Good morning, dear neighbours.', 'en-us');
  expect(usual.seconds).toBeGreaterThan(0.8);
  expect(usual.peak).toBeGreaterThan(2_000);
  const slow = await spoken('Good morning, dear neighbours.', 'en-us', { rate: 80, pitch: 10 });
  expect(slow.seconds).toBeGreaterThan(usual.seconds * 1.4);
});

(found ? it : it.skip)(`a real espeak reads out what looks like options, and letters of other languages${reason}`, async () => {
  expect((await spoken('--help <voice> [[x]]', 'en-us')).seconds).toBeGreaterThan(0.5);
  expect((await spoken('Schöne Grüße', 'de')).peak).toBeGreaterThan(2_000);
});
