import { describe, expect, it } from '@jest/globals';
import { type Backlog } from '../measure/backlog.ts';
import { PutOffMeter } from './put-off.ts';
import { type StartedTarget } from './rig.ts';

const backlog = (countedTurns: number, pendingMessages = 0, publishedMessages = 0): Backlog => {
  return { outboxRows: 0, pendingMessages, publishedMessages, countedTurns };
};

/** A target without earlier load, whose backlog is read from a list. */
function target(...readings: Backlog[]): StartedTarget {
  const running = {
    url: '',
    headers: {},
    version: '',
    model: (name: string) => name,
    pids: () => [],
    stop: async () => undefined,
    openBacklog: async () => ({ read: async () => readings.shift() ?? backlog(10_000), close: async () => undefined }),
  };
  return { name: 'a target', running, answered: 0, aborted: 0 };
}

async function putOff(started: StartedTarget) {
  const meter = await PutOffMeter.open(started);
  meter.edge(100);
  meter.edge(10_000);
  started.answered = 10_000;
  const found = await meter.workedOff(performance.now(), 30);
  await meter.close();
  return found;
}

describe('PutOffMeter', () => {
  it('finds no backlog where as much is open at the end as at the beginning, give or take a batch', async () => {
    expect(await putOff(target(backlog(90), backlog(9_900)))).toEqual({
      before: { turns: 10, messages: 0, outboxRows: 0 },
      after: { turns: 100, messages: 0, outboxRows: 0 },
      grown: false,
      workedOffMs: 0,
    });
  });

  it('waits until the backlog is worked off', async () => {
    const found = await putOff(target(backlog(90), backlog(5_000), backlog(8_000), backlog(10_000)));
    expect(found).toMatchObject({ after: { turns: 5_000 }, grown: true });
    expect(found?.workedOffMs).toBeGreaterThan(0);
  });

  it('finds messages that pile up, though all turns are counted', async () => {
    expect(await putOff(target(backlog(100, 1, 100), backlog(10_000, 60, 700)))).toMatchObject({ grown: true });
    expect(await putOff(target(backlog(100, 1, 100), backlog(10_000, 9, 700)))).toMatchObject({ grown: false });
  });

  it('returns nothing for a target without a record', async () => {
    const started = target();
    delete started.running.openBacklog;
    expect(await putOff(started)).toBeUndefined();
  });
});
