import { describe, expect, it } from '@jest/globals';
import { readActionsConfig } from '@parley/actions/config';
import { readAssetConfig } from '@parley/asset/config';
import { readAudioConfig } from '@parley/audio/config';
import { readChatRoutingConfig } from '@parley/chat-routing/config';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../../docs/limits.md');
const GIVEN = {
  DATABASE_URL: 'postgres://127.0.0.1/parley',
  NATS_URL: 'nats://127.0.0.1:4222',
  PARLEY_LISTEN: '127.0.0.1:0',
  PARLEY_CONVERSATION_ADDRESS: 'in-process',
  PARLEY_CHAT_ROUTING_ADDRESS: 'in-process',
  PARLEY_AUDIO_ADDRESS: 'in-process',
  PARLEY_ASSET_ADDRESS: 'in-process',
  PARLEY_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  PARLEY_BLOB_STORE: '/blobs',
};

/** The values of a configuration, those inside its parts too. */
function valuesOf(config: object): unknown[] {
  return Object.values(config).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? valuesOf(value) : [value],
  );
}

/** A number as the page has it. */
function parsed(text: string): number {
  const [count = '', unit = ''] = text.replaceAll(',', '').split(' ');
  return Number(count) * ({ s: 1_000, min: 60_000, h: 3_600_000, MiB: 1_024 ** 2 }[unit] ?? 1);
}

/** A value that is not anybody's default. */
const OTHER = '61';

describe('docs/limits.md', () => {
  it('says the defaults of the services', async () => {
    const text = await readFile(PAGE, 'utf8');
    const rows = [...text.matchAll(/^\| `(PARLEY_\w+)` +\| ([^|]+?) +\|/gm)].map(([, name = '', value = '']) => [name, value] as const);
    expect(rows.length).toBeGreaterThan(20);
    const readers = [readChatRoutingConfig, readAssetConfig, readAudioConfig, readActionsConfig];
    for (const [name, value] of rows) {
      // What differs when the setting is given is the field that it sets.
      const changed = readers.flatMap((read) => {
        const [before, after] = [valuesOf(read(GIVEN)), valuesOf(read({ ...GIVEN, [name]: OTHER }))];
        return before.filter((field, index) => field !== after[index] && typeof field === 'number');
      });
      expect([name, [...new Set(changed)]]).toEqual([name, [parsed(value)]]);
    }
  });
});
