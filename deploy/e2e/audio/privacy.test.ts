import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSpeaker, transcribes } from '../harness/audio.ts';
import { query } from '../harness/database.ts';
import { open } from '../harness/http.ts';
import { type Gateway } from '../harness/parley.ts';
import { EARS, missingEars } from '../harness/pocketsphinx.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { formRequest, upload, type Uploader } from '../harness/upload.ts';

const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const SAID = 'The old man walked down to the river and looked at the water.';
/** Samples of a recording that nothing else holds by chance. */
const EXCERPT = 64;

const missing = await missingEars();

/** Every row of every table, as text. */
async function everyRow(gateway: Gateway): Promise<string[]> {
  const tables = await query<{ name: string }>(
    gateway,
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(tables.map(({ name }) => query<{ row: string }>(gateway, `SELECT t::text AS row FROM ${name} t`)));
  return rows.flat().map(({ row }) => row);
}

/** Every file of a gateway: blobs, logs, recordings, and what the database and the broker have written; what was obtained is none of its own. */
async function everyFile({ dataDir }: Gateway): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** The files that hold any of these. A file may go while it is looked for. */
async function filesWith(gateway: Gateway, secrets: readonly Buffer[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of await everyFile(gateway)) {
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (secrets.some((secret) => bytes.includes(secret))) found.push(path);
  }
  return found;
}

(missing === undefined ? describe : describe.skip)(
  `what is heard is kept nowhere${missing === undefined ? '' : ` (not here: ${missing})`}`,
  () => {
    inBothTopologies(
      (gateway) => {
        let me: Uploader;
        beforeAll(async () => {
          ({ me } = await makeSpeaker(gateway));
          await waitFor(() => transcribes(me));
        });
        const speak = async () => {
          const body = { model: 'tts-1', input: SAID, voice: 'rms', response_format: 'wav' };
          return Buffer.from(await (await open(gateway(), 'POST', '/v1/audio/speech', { key: me.key, body })).arrayBuffer());
        };

        it('neither the words nor the recording: not in the database, nor in a blob, a log or any other file', async () => {
          const bytes = await speak();
          const answer = await upload(me, TRANSCRIPTIONS, { name: 'very-private-name.wav', bytes, type: 'audio/wav' });
          expect(answer.status).toBe(200);
          const { text } = answer.json as { text: string };
          expect(text.split(' ').length).toBeGreaterThan(3);
          const refused = Buffer.from('Dear diary, nobody may ever read this. '.repeat(50));
          expect((await upload(me, TRANSCRIPTIONS, { name: 'b.wav', bytes: refused, type: 'audio/wav' })).status).toBe(400);
          const leave = new AbortController();
          const left = open(gateway(), 'POST', TRANSCRIPTIONS, {
            key: me.key,
            signal: leave.signal,
            ...formRequest({ name: 'c.wav', bytes, type: 'audio/wav' }),
          });
          await waitFor(async () => (await everyFile(gateway())).some((path) => path.includes('parley-recordings-')), { everyMs: 5 });
          leave.abort();
          await expect(left).rejects.toThrow();

          // What was measured of all three is there: what is looked through is what was written.
          const measured = async () => (await query(gateway(), `SELECT 1 FROM audio.transcriptions`)).length;
          await waitFor(async () => (await measured()) === 3);
          await query(gateway(), 'CHECKPOINT');
          expect((await everyFile(gateway())).filter((path) => path.includes('parley-recordings-'))).toEqual([]);
          const words = [text, SAID, 'Dear diary', 'very-private-name'];
          for (const row of await everyRow(gateway())) for (const word of words) expect(row).not.toContain(word);
          const middle = Math.floor(bytes.length / 4) * 2;
          const samples = bytes.subarray(middle, middle + EXCERPT);
          expect(new Set(samples).size).toBeGreaterThan(EXCERPT / 4);
          expect(await filesWith(gateway(), [...words.map((word) => Buffer.from(word)), samples])).toEqual([]);
        });
      },
      { env: EARS },
    );
  },
);
