import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenAI, toFile } from 'openai';
import { content, createJob, ended, makeSpeaker, readWav, transcribes } from '../harness/audio.ts';
import { call, open } from '../harness/http.ts';
import { openaiClient } from '../harness/openai.ts';
import { ROOT } from '../harness/paths.ts';
import { EARS, missingEars } from '../harness/pocketsphinx.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { formRequest, upload, type Uploader } from '../harness/upload.ts';
import { usageOf } from '../harness/usage.ts';

const TRANSCRIPTIONS = '/v1/audio/transcriptions';
/** Plain words, and the voice that the embedded engine understands best. */
const SENTENCE = 'The weather was warm and the children played in the garden until the evening. ';
const PARAGRAPH = `${SENTENCE}Their mother made dinner in the kitchen.`;
const VOICE = 'rms';
/** Of the words that were said. */
const MOST = 0.7;

/** The text that a recipe speaks, and the transcript that it documents. */
async function readSentence(recipe: string): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/recipes', `${recipe}.md`), 'utf8');
  const [, sentence] = /input(?:":| ?= ?)["'](the [a-z ]+)["']/.exec(page) ?? [];
  if (sentence === undefined) throw new Error(`${recipe}.md has nothing spoken`);
  return sentence;
}

const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** How much of the paragraph is in a text, in whatever order. */
function understood(text: string): number {
  const heard = new Set(words(text));
  const said = words(PARAGRAPH);
  return said.filter((word) => heard.has(word)).length / said.length;
}

const missing = await missingEars();

(missing === undefined ? describe : describe.skip)(
  `what is spoken is understood${missing === undefined ? '' : ` (not here: ${missing})`}`,
  () => {
    inBothTopologies(
      (gateway) => {
        let me: Uploader;
        let client: OpenAI;
        beforeAll(async () => {
          ({ me } = await makeSpeaker(gateway));
          ({ client } = openaiClient(gateway(), { apiKey: me.key }));
          await waitFor(() => transcribes(me));
        });
        const speak = async (format: 'wav' | 'mp3' | 'opus' | 'flac', input = PARAGRAPH, voice = VOICE) => {
          const order = { model: 'tts-1', voice, input, response_format: format };
          return Buffer.from(await (await client.audio.speech.create(order)).arrayBuffer());
        };

        it.each(['wav', 'mp3'] as const)('by the official client, as %s, in JSON and in plain text', async (format) => {
          const file = await toFile(await speak(format), `speech.${format}`);
          const inJson = await client.audio.transcriptions.create({ file, model: 'whisper-1', language: 'en' });
          expect(understood(inJson.text)).toBeGreaterThan(MOST);
          const inText = await client.audio.transcriptions.create({ file, model: 'whisper-1', response_format: 'text' });
          expect(String(inText).trim()).toBe(inJson.text);
        });

        it('word for word, as the recipes promise, and with the times of its words, from Opus and FLAC too', async () => {
          const recipes = await Promise.all(['curl', 'openai-node', 'openai-python'].map(readSentence));
          const [sentence = ''] = recipes;
          expect(recipes).toEqual(recipes.map(() => sentence));
          const heard = [];
          for (const format of ['wav', 'opus', 'flac'] as const) {
            const file = await toFile(await speak(format, sentence, 'alloy'), `speech.${format}`);
            const order = { file, model: 'whisper-1', response_format: 'verbose_json' as const };
            heard.push(await client.audio.transcriptions.create({ ...order, timestamp_granularities: ['segment', 'word'] }));
          }
          for (const { text, segments = [], words: spoken = [], duration } of heard) {
            expect(text).toBe(sentence);
            expect(segments).toMatchObject([{ id: 0, text: sentence }]);
            expect(spoken.map(({ word }) => word).join(' ')).toBe(sentence);
            const times = spoken.flatMap(({ start, end }) => [start, end]);
            expect(times).toEqual(times.toSorted((a, b) => a - b));
            expect(times.at(-1)).toBeLessThanOrEqual(Number(duration));
          }
        });

        it('from the audio of a job, with what the spec tells of it', async () => {
          const { id } = await ended(me, (await createJob(me, PARAGRAPH, { voice: VOICE })).id);
          const file = { name: 'job.wav', bytes: (await content(me, id)).bytes, type: 'audio/wav' };
          const { status, json } = await upload(me, TRANSCRIPTIONS, file);
          expect({ status, json }).toEqual({
            status: 200,
            json: {
              text: expect.any(String),
              language: 'en',
              duration: expect.closeTo(readWav(file.bytes).seconds, 1),
              model: expect.stringMatching(/./),
              job_id: expect.any(String),
            },
          });
          expect(understood((json as { text: string }).text)).toBeGreaterThan(MOST);
        });

        it('and counted once, whether its client waits for it or leaves', async () => {
          const { me: listener } = await makeSpeaker(gateway);
          const recording = { name: 'speech.wav', bytes: await speak('wav', SENTENCE), type: 'audio/wav' };
          expect((await upload(listener, TRANSCRIPTIONS, recording)).status).toBe(200);
          // Long enough to be seen at work.
          const long = { ...recording, bytes: await speak('wav', PARAGRAPH.repeat(12)) };
          const leave = new AbortController();
          const left = open(gateway(), 'POST', TRANSCRIPTIONS, { key: listener.key, signal: leave.signal, ...formRequest(long) });
          await waitFor(
            async () =>
              gateway()
                .family()
                .some(({ commandLine }) => commandLine.includes('pocketsphinx_continuous')),
            { everyMs: 20 },
          );
          leave.abort();
          await expect(left).rejects.toThrow();
          // No client waits any more: the transcribing program ends with the request.
          await waitFor(
            async () =>
              !gateway()
                .family()
                .some(({ commandLine }) => commandLine.includes('pocketsphinx_continuous')),
          );
          const usage = await waitFor(async () => [await usageOf(gateway(), listener.key)].find(({ total_requests: n }) => n >= 2));
          expect(usage).toMatchObject({ total_requests: 2, successful: 1 });
          expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
        });
      },
      { env: EARS },
    );
  },
);
