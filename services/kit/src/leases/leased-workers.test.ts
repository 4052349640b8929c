import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { createLogger } from '../log/logger.ts';
import { waitFor } from '../testing/wait-for.ts';
import { type Lease, LeaseLost } from './lease.ts';
import { type Control, LeasedWorkers, type LeasedWorkersOptions } from './leased-workers.ts';

/** A piece that somebody works on, until the test or the workers say that it is over. */
interface Work extends Control {
  piece: Lease;
  end: () => void;
}

describe('workers of leased work', () => {
  let due: Lease[];
  let works: Work[];
  let told: string[];
  let logged: string[];
  let claim: LeasedWorkersOptions<Lease>['claim'];
  let renew: LeasedWorkersOptions<Lease>['renew'];
  let workers: LeasedWorkers<Lease>;
  const started: LeasedWorkers<Lease>[] = [];
  const destination = { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) };

  beforeEach(() => {
    [due, works, told, logged] = [[], [], [], []];
    claim = async (limit) => due.splice(0, limit);
    renew = async (held) => new Set(held.map(({ id }) => id));
  });
  afterEach(async () => {
    for (const { end } of works) end();
    await Promise.all(started.splice(0).map((each) => each.stop()));
  });

  function start(options: Partial<LeasedWorkersOptions<Lease>> = {}): void {
    workers = new LeasedWorkers<Lease>({
      ...{ name: 'pieces', workers: 2, leaseMs: 40, idleMs: 5, log: createLogger({ service: 'kit', level: 'debug', destination }) },
      claim: async (limit, leaseMs) => (told.push('claim'), claim(limit, leaseMs)),
      renew: async (held, leaseMs) => (told.push('renew'), renew(held, leaseMs)),
      work: (piece, control) => new Promise((resolve) => works.push({ ...control, piece, end: resolve })),
      ...options,
    });
    started.push(workers);
  }

  const piece = (id: string, generation = 1): Lease => ({ id, generation });
  const begun = async (count: number) => waitFor(() => works.length === count);
  const reasonOf = (work: Work | undefined) => work?.signal.reason as unknown;
  const inHand = () => works.map((work) => work.piece.id);

  it('takes as many as it has places for, and the next when one ends', async () => {
    due = [piece('a'), piece('b'), piece('c')];
    start();
    await begun(2);
    expect(due).toEqual([piece('c')]);
    works[0]?.end();
    await begun(3);
    expect(inHand()).toEqual(['a', 'b', 'c']);
  });

  it('looks when it is kicked, however long it would have waited', async () => {
    start({ idleMs: 60_000 });
    await waitFor(() => told.includes('claim'));
    due = [piece('a')];
    workers.kick();
    await begun(1);
  });

  it('stops who was cancelled, and nobody else', async () => {
    due = [piece('a'), piece('b')];
    start();
    await begun(2);
    workers.cancel('a');
    workers.cancel('unknown');
    expect(works.map((work) => reasonOf(work))).toEqual([expect.any(LeaseLost), undefined]);
  });

  it('asks who is to come to an end, and leaves the rest to it', async () => {
    due = [piece('a'), piece('b')];
    start();
    await begun(2);
    workers.askToEnd('a');
    expect(works.map(({ asked }) => asked.reason as unknown)).toEqual([expect.objectContaining({ condition: 'CANCELLED' }), undefined]);
    expect(works.some(({ signal }) => signal.aborted)).toBe(false);
  });

  it('stops who has lost its piece', async () => {
    due = [piece('a'), piece('b')];
    renew = async () => new Set(['b']);
    start();
    await begun(2);
    await waitFor(() => works[0]?.signal.aborted);
    expect(works.map((work) => reasonOf(work))).toEqual([expect.any(LeaseLost), undefined]);
  });

  it('lets everybody go on while leases cannot be renewed', async () => {
    due = [piece('a')];
    renew = async () => Promise.reject(new Error('no database'));
    start();
    await begun(1);
    await waitFor(() => told.filter((what) => what === 'renew').length > 3);
    expect(works[0]?.signal.aborted).toBe(false);
  });

  it('says once that it cannot ask, and renews what it holds before it asks again', async () => {
    due = [piece('a')];
    start({ leaseMs: 60_000 });
    await begun(1);
    const able = claim;
    claim = async () => Promise.reject(new Error('no database'));
    await waitFor(() => told.filter((what) => what === 'renew').length > 3);
    expect(logged).toEqual(['pieces that are due could not be asked for']);
    const before = told.length;
    claim = able;
    due = [piece('b')];
    await begun(2);
    expect(told.slice(before)[0]).toBe('renew');
  });

  it('lets a piece that it has taken twice be worked on once: by whoever took it last', async () => {
    due = [piece('a'), piece('a', 2)];
    start();
    await begun(2);
    expect(works.map((work) => reasonOf(work))).toEqual([expect.any(LeaseLost), undefined]);
    works[0]?.end();
    await waitFor(() => told.at(-1) === 'claim');
    workers.cancel('a');
    expect(reasonOf(works[1])).toEqual(expect.any(LeaseLost));
  });

  it('takes no more when it stops, and waits for what is under way', async () => {
    due = [piece('a')];
    start();
    await begun(1);
    const stopping = workers.stop();
    due = [piece('b')];
    workers.kick();
    expect(works[0]?.isStopping()).toBe(true);
    works[0]?.end();
    await stopping;
    expect([inHand(), works[0]?.signal.aborted]).toEqual([['a'], false]);
  });

  it('has what takes too long given back', async () => {
    due = [piece('a')];
    start({
      graceMs: 5,
      work: (taken, control) =>
        new Promise((resolve) => {
          works.push({ ...control, piece: taken, end: resolve });
          control.signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    });
    await begun(1);
    await workers.stop();
    expect(reasonOf(works[0])).toEqual(new GatewayError('SHUTTING_DOWN', 'the service is shutting down'));
  });
});
