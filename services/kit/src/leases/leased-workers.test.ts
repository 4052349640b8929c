import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { createLogger } from '../log/logger.ts';
import { enableMetrics, readMetrics } from '../telemetry/meter.ts';
import { waitFor } from '../testing/wait-for.ts';
import { type ClaimedWork, LeaseLostError } from './lease.ts';
import { type WorkControl, LeasedWorkers, type LeasedWorkersOptions } from './leased-workers.ts';

/** A piece in progress, until the test or the workers end it. */
interface Work extends WorkControl {
  piece: ClaimedWork;
  end: () => void;
}

describe('LeasedWorkers', () => {
  let due: ClaimedWork[];
  let works: Work[];
  let calls: string[];
  let logged: string[];
  let claim: LeasedWorkersOptions<ClaimedWork>['claim'];
  let nextDueMs: LeasedWorkersOptions<ClaimedWork>['nextDueMs'];
  let renew: LeasedWorkersOptions<ClaimedWork>['renew'];
  let workers: LeasedWorkers<ClaimedWork>;
  const started: LeasedWorkers<ClaimedWork>[] = [];
  const destination = { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) };

  beforeEach(() => {
    [due, works, calls, logged] = [[], [], [], []];
    claim = async (limit) => due.splice(0, limit);
    nextDueMs = async () => (due.length > 0 ? 0 : null);
    renew = async (held) => new Set(held.map(({ id }) => id));
  });
  afterEach(async () => {
    for (const { end } of works) end();
    await Promise.all(started.splice(0).map((each) => each.stop()));
  });

  function start(options: Partial<LeasedWorkersOptions<ClaimedWork>> = {}): void {
    workers = new LeasedWorkers<ClaimedWork>({
      ...{ name: 'pieces', workers: 2, leaseMs: 40, idleMs: 5, log: createLogger({ service: 'kit', level: 'debug', destination }) },
      claim: async (limit, leaseMs) => (calls.push('claim'), claim(limit, leaseMs)),
      renew: async (held, leaseMs) => (calls.push('renew'), renew(held, leaseMs)),
      nextDueMs: async () => (calls.push('look'), nextDueMs()),
      backlog: async () => (calls.push('count'), { pieces: due.length, oldestSeconds: due.length * 10 }),
      work: (piece, control) => new Promise((resolve) => works.push({ ...control, piece, end: resolve })),
      ...options,
    });
    started.push(workers);
  }

  const piece = (id: string, generation = 1, takenOver = false): ClaimedWork => ({ id, generation, takenOver });
  const begun = async (count: number) => waitFor(() => works.length === count);
  const reasonOf = (work: Work | undefined) => work?.signal.reason as unknown;
  const inHand = () => works.map((work) => work.piece.id);

  it('claims as many pieces as it has workers, and the next when one ends', async () => {
    due = [piece('a'), piece('b'), piece('c')];
    start();
    await begun(2);
    expect(due).toEqual([piece('c')]);
    works[0]?.end();
    await begun(3);
    expect(inHand()).toEqual(['a', 'b', 'c']);
  });

  it('claims at once after claimNow', async () => {
    start({ idleMs: 60_000 });
    await waitFor(() => calls.includes('claim'));
    due = [piece('a')];
    workers.claimNow();
    await begun(1);
  });

  it('checks without claiming while nothing is due, and claims when a piece is due', async () => {
    start();
    await waitFor(() => calls.filter((what) => what === 'look').length > 3);
    expect(calls.filter((what) => what === 'claim')).toHaveLength(1);
    due = [piece('a')];
    await begun(1);
  });

  it('claims when a piece becomes due, before it would look again', async () => {
    start({ idleMs: 60_000 });
    await waitFor(() => calls.includes('look'));
    let waits = 0;
    nextDueMs = async () => (due.length === 0 ? null : waits++ === 0 ? 20 : 0);
    claim = async (limit) => (waits > 1 ? due.splice(0, limit) : []);
    due = [piece('a')];
    workers.claimNow();
    await begun(1);
    expect(waits).toBe(2);
  });

  it('stops only the worker of a cancelled piece', async () => {
    due = [piece('a'), piece('b')];
    start();
    await begun(2);
    workers.cancel('a');
    workers.cancel('unknown');
    expect(works.map((work) => reasonOf(work))).toEqual([expect.any(LeaseLostError), undefined]);
  });

  it('asks a worker to end its piece early without aborting it', async () => {
    due = [piece('a'), piece('b')];
    start();
    await begun(2);
    workers.requestEnd('a');
    expect(works.map(({ endRequested }) => endRequested.reason as unknown)).toEqual([
      expect.objectContaining({ condition: 'CANCELLED' }),
      undefined,
    ]);
    expect(works.some(({ signal }) => signal.aborted)).toBe(false);
  });

  it('stops the worker whose lease was lost', async () => {
    due = [piece('a'), piece('b')];
    renew = async () => new Set(['b']);
    start();
    await begun(2);
    await waitFor(() => works[0]?.signal.aborted);
    expect(works.map((work) => reasonOf(work))).toEqual([expect.any(LeaseLostError), undefined]);
  });

  it('lets workers continue while leases cannot be renewed', async () => {
    due = [piece('a')];
    renew = async () => Promise.reject(new Error('no database'));
    start();
    await begun(1);
    await waitFor(() => calls.filter((what) => what === 'renew').length > 3);
    expect(works[0]?.signal.aborted).toBe(false);
  });

  it('logs a failed claim once, and renews its leases before it claims again', async () => {
    due = [piece('a')];
    start({ leaseMs: 60_000 });
    await begun(1);
    const [able, looking] = [claim, nextDueMs];
    claim = async () => Promise.reject(new Error('no database'));
    nextDueMs = async () => Promise.reject(new Error('no database'));
    await waitFor(() => calls.filter((what) => what === 'renew').length > 3);
    expect(logged).toEqual(['pieces could not be claimed']);
    const before = calls.length;
    [claim, nextDueMs] = [able, looking];
    due = [piece('b')];
    await begun(2);
    expect(calls.slice(before)[0]).toBe('renew');
  });

  it('stops the earlier worker of a piece that it claims twice', async () => {
    due = [piece('a'), piece('a', 2)];
    start();
    await begun(2);
    expect(works.map((work) => reasonOf(work))).toEqual([expect.any(LeaseLostError), undefined]);
    const before = calls.length;
    works[0]?.end();
    await waitFor(() => calls.slice(before).includes('claim'));
    workers.cancel('a');
    expect(reasonOf(works[1])).toEqual(expect.any(LeaseLostError));
  });

  it('claims no more when it stops, and waits for pieces in progress', async () => {
    due = [piece('a')];
    start();
    await begun(1);
    const stopping = workers.stop();
    due = [piece('b')];
    workers.claimNow();
    expect(works[0]?.isStopping()).toBe(true);
    works[0]?.end();
    await stopping;
    expect([inHand(), works[0]?.signal.aborted]).toEqual([['a'], false]);
  });

  it('releases pieces that outlast the grace period', async () => {
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

  it('reports what it holds and took over, and what is due, by at most one query in some seconds and until it stops', async () => {
    enableMetrics('test');
    claim = async (limit) => due.splice(1, limit);
    due = [piece('waiting'), piece('a'), piece('b', 2, true), piece('c', 2, true)];
    start({ workers: 3 });
    await begun(3);
    const texts = [(await readMetrics()).text, (await readMetrics()).text];
    for (const text of texts) {
      expect(text).toContain('parley_leases_held{kind="pieces"} 3');
      expect(text).toContain('parley_lease_backlog{kind="pieces"} 1');
      expect(text).toContain('parley_lease_oldest_seconds{kind="pieces"} 10');
      expect(text).toContain('parley_leases_taken_over_total{kind="pieces"} 2');
    }
    expect(calls.filter((what) => what === 'count')).toHaveLength(1);
    for (const { end } of works) end();
    await workers.stop();
    expect((await readMetrics()).text).not.toContain('parley_leases_held{');
  });
});
