import { expect, it } from '@jest/globals';
import { EVENT_STREAM } from '@parley/protos/subjects';
import { connect } from 'nats';
import { waitFor } from '@parley/kit/testing/wait-for';
import { Ledger } from '../harness/ledger.ts';
import { START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { killPart } from '../harness/parts.ts';
import { makeTenant } from '../harness/tenant.ts';
import { usageOf } from '../harness/usage.ts';

const TURNS = 50;
const TIMES = 3;

it(
  'counts every event once, however often it comes',
  async () => {
    const house = await startParley({ topology: 'separate' });
    try {
      const tenant = await makeTenant(() => house);
      const ledger = new Ledger(() => house, tenant);
      await Promise.all(Array.from({ length: TURNS }, () => ledger.turn()));
      const sum = (field: 'tokensIn' | 'tokensOut') => ledger.completed.reduce((total, heard) => total + heard[field], 0);
      const own = { total_requests: TURNS, successful: TURNS, total_tokens_in: sum('tokensIn'), total_tokens_out: sum('tokensOut') };
      const usage = () => usageOf(house, tenant.apiKey);
      await waitFor(async () => (await usage()).total_requests === TURNS);
      expect(await usage()).toMatchObject(own);

      const sent = await sendAgain(house.run.nats_url, TIMES, () => killPart(house, 'usage'));
      expect(sent).toBeGreaterThanOrEqual(TIMES);
      // Everything is consumed in order: what is asked after it has been counted behind it.
      const last = new Ledger(() => house, await makeTenant(() => house));
      await last.turn();
      await last.reconcile();
      expect(await usage()).toMatchObject(own);
      await ledger.reconcile();
    } finally {
      await house.dispose();
    }
  },
  START_MS + STOP_MS,
);

/** Publishes all events of the stream anew so many times, as others than they were for the broker, and gives how many that made. */
async function sendAgain(url: string, times: number, midway: () => Promise<unknown>): Promise<number> {
  const { username, password, host } = new URL(url);
  const connection = await connect({ servers: host, user: username, pass: password });
  try {
    const [manager, stream] = [await connection.jetstreamManager(), connection.jetstream()];
    const { state } = await manager.streams.info(EVENT_STREAM);
    let sent = 0;
    for (let time = 0; time < times; time++) {
      for (let seq = state.first_seq; seq <= state.last_seq; seq++, sent++) {
        const { subject, data } = await manager.streams.getMessage(EVENT_STREAM, { seq });
        await stream.publish(subject, data);
      }
      if (time === 0) await midway();
    }
    return sent;
  } finally {
    await connection.close();
  }
}
