import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { listAssets, storedFiles } from '../harness/assets.ts';
import { stream } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { call } from '../harness/http.ts';
import { START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { killPart, partOf } from '../harness/parts.ts';
import { makeTenant } from '../harness/tenant.ts';
import { type Uploader } from '../harness/upload.ts';

const ASSETS = 20;
const READY_MS = 120_000;
/** Turns that are open, assets that are not ready, and those that a message has and the asset service has not. */
const UNSETTLED = `
SELECT (SELECT count(*) FROM conversation.turns t WHERE NOT EXISTS (SELECT FROM conversation.turn_ends e WHERE e.turn_id = t.id))::int
  + (SELECT count(*) FROM asset.assets WHERE status <> 'ready')::int
  + (SELECT count(*) FROM conversation.message_assets m WHERE NOT EXISTS (SELECT FROM asset.assets a WHERE a.id = m.asset_id))::int AS n`;

describe.each([
  ['asset', 'separate'],
  ['parley', 'single'],
  ['edge', 'separate'],
] as const)('kill -9 of %s (%s) while assets are ingested', (part, topology) => {
  it(
    'loses none, and stores each once',
    async () => {
      const gateway = await startParley({ topology });
      try {
        const { apiKey: key } = await makeTenant(() => gateway);
        const me: Uploader = { gateway, key };
        // Large enough that some are on their way when the process dies.
        const turns = Array.from({ length: ASSETS }, () => stream(gateway, { key, say: 'make a file of 8 MB' }).catch(() => undefined));
        await waitFor(async () => (await count(gateway, `SELECT count(*)::int AS n FROM asset.assets WHERE status <> 'discovered'`)) > 2, {
          everyMs: 20,
        });
        const killed = await killPart(gateway, part);
        for (const turn of turns) await turn.then((response) => response?.body?.cancel()).catch(() => undefined);
        await partOf(gateway, part, killed);
        await waitFor(async () => (await call(gateway, 'GET', '/readyz')).status === 200, { timeoutMs: START_MS });
        // Answers that a crash broke off are closed by a reaper; what was made in them by then is kept as well.
        await waitFor(async () => (await count(gateway, UNSETTLED)) === 0, { timeoutMs: READY_MS, everyMs: 500 });
        const ready = () => count(gateway, `SELECT count(*)::int AS n FROM asset.assets WHERE status = 'ready'`);
        expect(await ready()).toBeGreaterThan(0);
        if (part === 'asset') expect(await ready()).toBe(ASSETS);
        expect(await storedFiles(gateway)).toHaveLength(await ready());
        for (const { id } of await query<{ id: string }>(gateway, 'SELECT id FROM conversation.conversations'))
          for (const asset of await listAssets(me, id)) expect(asset).toMatchObject({ status: 'ready', retry_count: 0 });
      } finally {
        await gateway.dispose();
      }
    },
    START_MS + READY_MS + STOP_MS,
  );
});

async function count(gateway: Parameters<typeof query>[0], sql: string): Promise<number> {
  return (await query<{ n: number }>(gateway, sql))[0]?.n ?? 0;
}
