import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask } from '../../harness/chat.ts';
import { Ledger } from '../../harness/ledger.ts';
import { type Load, startLoad } from '../../harness/load.ts';
import { type Gateway, START_MS, startParley, STOP_MS } from '../../harness/parley.ts';
import { deathsOf, killPart, type PartName, partOf } from '../../harness/parts.ts';
import { Sandbox } from '../../harness/sandbox.ts';
import { scrape } from '../../harness/scrape.ts';
import { makeTenant } from '../../harness/tenant.ts';

/** Rounds in which every part is killed once; PARLEY_KILL_ROUNDS=20 for the long run. */
const ROUNDS = Number(process.env['PARLEY_KILL_ROUNDS'] ?? 3);
const STREAMS = 200;
/** How long a part may have to be well again before the next one is killed, and everything to agree in the end. */
const ROUND_MS = 90_000;
const SETTLED_MS = 120_000;
/** Until the last minute of turns is part of the capture ratio: its end, and the time that its events may take. */
const CAPTURED_MS = 120_000;
const MINUTE_MS = 60_000;

const GATEWAYS = {
  single: ['parley', 'postgres', 'nats'],
  separate: ['edge', 'chat-routing', 'conversation', 'usage', 'postgres', 'nats'],
} as const satisfies Record<string, PartName[]>;

describe.each(Object.entries(GATEWAYS))('a gateway (%s) whose parts are killed one after the other', (name, parts) => {
  it(
    'loses nothing that was acknowledged, counts every turn once, and is back in no time',
    async () => {
      const topology = name === 'single' ? 'single' : 'separate';
      const gateway = await startParley({ topology });
      let load: Load | undefined;
      try {
        const sandbox = new Sandbox(() => gateway);
        const ledger = new Ledger(() => gateway, await makeTenant(() => gateway));
        await sandbox.setPace(100);
        const running = (load = startLoad(ledger, STREAMS, 30));
        for (let round = 0; round < ROUNDS; round++) {
          for (const part of parts) {
            await grows(() => running.completed, STREAMS / 2);
            const killed = await killPart(gateway, part);
            await waitFor(async () => (await ask(gateway, { say: 'say again' })).status === 200, { everyMs: 50 });
            await partOf(gateway, part, killed);
          }
        }
        await grows(() => running.completed, STREAMS);
        await running.stop();
        await ledger.reconcile();
        await captures(gateway);
        // Nothing fell because of what fell beside it.
        expect((await deathsOf(gateway)).filter(({ signal }) => signal !== 'SIGKILL')).toEqual([]);
      } finally {
        const stopped = load?.stop();
        await gateway.dispose();
        await stopped;
      }
    },
    START_MS + ROUNDS * parts.length * ROUND_MS + SETTLED_MS + CAPTURED_MS + STOP_MS,
  );
});

/** Waits until the minute that ends next is part of the ratio of tokens in the usage to those in the record, and the ratio is 1. */
async function captures(gateway: Gateway): Promise<void> {
  const settledAt = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + MINUTE_MS / 2;
  const isWhole = async () => (await scrape(gateway, 'parley_usage_capture_ratio')).join() === '1';
  await waitFor(async () => (await isWhole()) && Date.now() > settledAt, { timeoutMs: CAPTURED_MS, everyMs: 1_000 });
}

/** Waits until a count has grown by so many. */
async function grows(count: () => number, by: number): Promise<void> {
  const goal = count() + by;
  await waitFor(() => count() >= goal, { everyMs: 100 });
}
