import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineProcesses, SEES_PROCESSES, UNSEEN } from '../../test/engine-processes.ts';
import { type EngineLimits, EnginePool } from './engine-pool.ts';

const NEVER = new AbortController().signal;
let folder = '';
const speech = (text: string) => ({ text, voice: 'kal', features: {}, folder });
/** Takes far longer than the test. */
const LONG = 'One sentence of some length. '.repeat(300);

describe('EnginePool', () => {
  let pool = new EnginePool(1);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-engines-'));
  });
  afterEach(async () => {
    pool.close();
    await rm(folder, { recursive: true, force: true });
  });
  const pools = (size: number, limits?: EngineLimits) => (pool = new EnginePool(size, limits));

  it('does tasks one after the other where there is one engine', async () => {
    const engines = pools(1);
    const order: number[] = [];
    const tasks = [1, 2, 3].map((number) =>
      engines.run<{ sampleRate: number }>('flite', speech('Hi.'), NEVER).finally(() => order.push(number)),
    );
    expect(engines.busy).toBe(1);
    await expect(Promise.all(tasks)).resolves.toMatchObject([{ sampleRate: 8_000 }, { sampleRate: 8_000 }, { sampleRate: 8_000 }]);
    expect([order, engines.busy]).toEqual([[1, 2, 3], 0]);
  });

  (SEES_PROCESSES ? it : it.skip)(`outlives an engine that dies${UNSEEN}`, async () => {
    const engines = pools(1);
    const running = expect(engines.run('flite', speech(LONG), NEVER)).rejects.toThrow('the engine ended');
    for (const id of await engineProcesses()) process.kill(Number(id), 'SIGKILL');
    await running;
    await expect(engines.run('flite', speech('Hi.'), NEVER)).resolves.toMatchObject({ sampleRate: 8_000 });
  });

  (SEES_PROCESSES ? it.each : it.skip.each)([
    [undefined, 10],
    [{ niceness: 19 }, 19],
  ])(`lets everything else go before its engines (%j)${UNSEEN}`, async (limits, niceness) => {
    const others = await engineProcesses();
    await pools(1, limits).run('flite', speech('Hi.'), NEVER);
    const [engine] = (await engineProcesses()).filter((id) => !others.includes(id));
    expect(getPriority(Number(engine))).toBe(niceness);
  });

  it('fails what an engine cannot do', async () => {
    await expect(pools(1).run('nothing', {}, NEVER)).rejects.toThrow();
  });

  it('ends a task that takes too long, and goes on', async () => {
    const engines = pools(1, { timeMs: 1 });
    await expect(engines.run('flite', speech(LONG), NEVER)).rejects.toThrow('the engine took too long');
    expect(engines.busy).toBe(0);
  });

  it('gives the place of a task that is given up to the next one', async () => {
    const engines = pools(1);
    const [first, second] = [new AbortController(), new AbortController()];
    const running = engines.run('flite', speech(LONG), first.signal);
    const waiting = engines.run('flite', speech(LONG), second.signal);
    const last = engines.run('flite', speech('Hi.'), NEVER);
    second.abort(new Error('changed its mind'));
    first.abort(new Error('left'));
    await expect(running).rejects.toThrow('left');
    await expect(waiting).rejects.toThrow('changed its mind');
    await expect(last).resolves.toMatchObject({ sampleRate: 8_000 });
  });

  it('begins nothing for a signal that has aborted', async () => {
    const engines = pools(1);
    await expect(engines.run('flite', speech('Hi.'), AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(engines.busy).toBe(0);
  });

  it('fails everything when it is closed', async () => {
    const engines = pools(1);
    const tasks = [engines.run('flite', speech(LONG), NEVER), engines.run('flite', speech('Hi.'), NEVER)];
    const failing = Promise.all(tasks.map((task) => expect(task).rejects.toThrow(/closed|ended/)));
    engines.close();
    await failing;
    await expect(engines.run('flite', speech('Hi.'), NEVER)).rejects.toThrow('closed');
  });
});
