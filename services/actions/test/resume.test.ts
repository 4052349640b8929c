import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ActionCatalog } from '../src/catalog/action-catalog.ts';
import { type Step } from '../src/domain/workflow.ts';
import { executeRun } from '../src/runs/execute-run.ts';
import { createRun } from '../src/store/create-run.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { claimRuns, type LeasedRun } from '../src/store/leases.ts';
import { type Store } from '../src/store/store.ts';
import { readRunEvents, type TestFixture, openFixture, reaches, request, type Running, SILENT, toLines } from './fixture.ts';
import { gate, type Play, PlayedSteps } from './played-steps.ts';
import { keyedWrite, retry, step, workflow, write } from './workflows.ts';

let fixture: TestFixture;
let database: Database;
/** Answers questions, and works on nothing. */
let service: Running;
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start({ executing: false });
  database = openDatabase(fixture.databaseUrl, SILENT);
});
afterAll(async () => {
  await database?.close();
  await fixture?.close();
});

const LIMITS = { stepTimeoutMs: 10_000, runTimeoutMs: 60_000, maxRisk: 'write', maxRiskWithoutReview: 'irreversible' } as const;
const NEVER = { signal: new AbortController().signal, endRequested: new AbortController().signal, isStopping: () => false };

/** Takes up one run, as a worker would. */
async function claim(store: Store): Promise<LeasedRun | undefined> {
  const [run] = await claimRuns(store, { limit: 1, owner: 'test', leaseMs: 3_600_000, perWorkspace: 100, executing: true });
  return run;
}

/** Works on a run with a worker that falls silent after so many commits; the lease of the last one is over, so that the next can begin. */
async function workUntil(commits: number, steps: PlayedSteps, consumed: string[]): Promise<'silent' | 'done'> {
  let left = commits;
  const store: Store = {
    database,
    notifyChanged: () => {
      if (left-- === 0) throw new Error('the process has ended');
    },
  };
  const assets = {
    consumeActionInputs: async ({ runId }: { runId: string }) => {
      consumed.push(runId);
      return { assets: [] };
    },
  };
  const run = await claim(store);
  if (!run) return 'done';
  const deps = { store, catalog: new ActionCatalog(database), executors: steps.executors, assets, limits: LIMITS, log: SILENT };
  await executeRun(deps, run, NEVER);
  await fixture.sql.query(`UPDATE runs SET lease_until = now() - interval '1 s' WHERE id = $1 AND lease_until IS NOT NULL`, [run.id]);
  return left < 0 ? 'silent' : 'done';
}

async function accepted(steps: readonly Step[], fileInputs: readonly string[] = []) {
  const caller = await fixture.member();
  const slug = await fixture.publish(workflow(steps, { fileInputs }));
  const identity = { workspaceId: caller.workspaceId, slug, idempotencyKey: '', requestDigest: Buffer.alloc(0) };
  const input = JSON.stringify(Object.fromEntries(fileInputs.map((name) => [name, { asset_id: name }])));
  const own = { id: uuidv7(), keyId: caller.keyId, userId: '', version: 1, connectionId: '', input, requestId: 'r', traceparent: '' };
  const run = await createRun({ database, notifyChanged: () => undefined }, { ...identity, ...own });
  return { caller, slug, id: run.id };
}

describe('a run whose worker falls silent', () => {
  const STEPS = [step('look'), keyedWrite('keyed', { onFailure: [retry(1)] }), write('plain'), step('after')];
  /** Events of a run of these steps that nothing befell. */
  const COMMITS = 2 + 2 * STEPS.length;

  it.each(Array.from({ length: COMMITS }, (_, index) => index))('after %i commits goes on where it was', async (commits) => {
    const steps = new PlayedSteps();
    const consumed: string[] = [];
    const run = await accepted(STEPS, ['file']);
    await expect(workUntil(commits, steps, consumed)).resolves.toBe(commits < COMMITS - 1 ? 'silent' : 'done');
    while ((await workUntil(Infinity, steps, consumed)) === 'silent');
    const ended = await service.stub.getRun(run, { caller: run.caller });
    // Commits: started; then for each step begun and ended. Only where the plain write was begun and its outcome is unknown, a user has to check.
    const inPlain = commits === 5;
    expect(ended).toMatchObject(inPlain ? { status: 'needs_review', verdict: 'needs_review' } : { status: 'succeeded', verdict: 'passed' });
    expect(ended.effects.map(({ stepId, outcome }) => `${stepId} ${outcome}`)).toEqual([
      'keyed applied',
      inPlain ? 'plain unknown' : 'plain applied',
    ]);
    expect([...steps.written.values()].every((count) => count === 1)).toBe(true);
    expect(steps.written.get(`${run.id} plain`)).toBe(inPlain ? undefined : 1);
    expect(new Set(consumed)).toEqual(new Set([run.id]));
    const events = await readRunEvents(service, run.caller, run);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(toLines(events).filter((line) => line.startsWith('run.'))).toEqual(['run.accepted', 'run.started', 'run.ended']);
  });

  it('goes on after any number of silences at any place, and writes everything once', async () => {
    for (let gap = 0; gap < 3; gap++) {
      const steps = new PlayedSteps();
      const run = await accepted([step('look'), keyedWrite('keyed'), step('between'), keyedWrite('last')]);
      let rounds = 0;
      while ((await workUntil(gap, steps, [])) === 'silent' && rounds < 40) rounds++;
      await expect(service.stub.getRun(run, { caller: run.caller })).resolves.toMatchObject({
        // A run whose workers never get beyond the start of a step fails.
        status: gap === 0 ? 'failed' : 'succeeded',
      });
      expect([...steps.written.values()].every((count) => count === 1)).toBe(true);
    }
  });

  it.each([
    ['a step that reads', step('held'), 'succeeded', []],
    ['a step that writes with a key', keyedWrite('held'), 'succeeded', ['held applied']],
    ['a step that writes without one', write('held'), 'needs_review', ['held unknown']],
    ['an irreversible step without one', write('held', { risk: 'irreversible' }), 'needs_review', ['held unknown']],
  ])('in %s, after it was done', async (_where, held, status, effects) => {
    const { seen, pass } = gate();
    const done: Play = async (asked, signal) => {
      const answered = steps.done(asked);
      if (seen.begun === 0) await pass(signal);
      return answered;
    };
    const steps: PlayedSteps = new PlayedSteps({ held: done });
    const worker = await fixture.start({ maxRisk: 'irreversible' }, { executors: steps.executors });
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('look'), held]));
    const run = await worker.stub.createRun(request(slug), { caller });
    await waitFor(() => seen.begun === 1);
    await fixture.silence(run.id);
    const ended = await reaches(worker, caller, run, status);
    expect(ended.effects.map(({ stepId, outcome }) => `${stepId} ${outcome}`)).toEqual(effects);
    expect(steps.written.get(`${run.id} held`)).toBe(held.risk === 'read' ? undefined : 1);
    expect(steps.order(run.id).filter((id) => id === 'look')).toEqual(['look']);
    // Who has lost the run stops, and what it still says changes nothing.
    await waitFor(() => seen.stopped === 1);
    await expect(worker.stub.getRun(run, { caller })).resolves.toMatchObject({ status });
    await worker.stop();
  });

  it('over and over at one step ends, and its step is not tried any more', async () => {
    const steps = new PlayedSteps();
    const run = await accepted([step('look')]);
    // The first commit after a claim is the begin of the step; the very first one begins the run.
    let rounds = 0;
    while ((await workUntil(rounds === 0 ? 1 : 0, steps, [])) === 'silent' && rounds < 20) rounds++;
    const ended = await service.stub.getRun(run, { caller: run.caller });
    expect(ended).toMatchObject({ status: 'failed', verdict: 'failed', error: { condition: 'INTERNAL_ERROR' } });
    expect(steps.asked).toEqual([]);
    const { rows } = await fixture.sql.query('SELECT crashes, executions FROM runs WHERE id = $1', [run.id]);
    expect(rows).toEqual([{ crashes: 6, executions: 6 }]);
  });
});

describe('replicas', () => {
  it('share runs, and the one that stops gives its run back between two steps', async () => {
    const { seen, open, pass } = gate();
    const held: Play = async (asked, signal) => {
      await pass(signal);
      return steps.done(asked);
    };
    const steps: PlayedSteps = new PlayedSteps({ held });
    const [first, second] = [
      await fixture.start({}, { executors: steps.executors }),
      await fixture.start({ workers: 1 }, { executors: steps.executors }),
    ];
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([write('held'), step('after')]));
    const runs = await Promise.all(Array.from({ length: 6 }, () => first.stub.createRun(request(slug), { caller })));
    // Four places of the workspace, over both.
    await waitFor(() => seen.begun === 4);
    const stopping = first.stop();
    open();
    await stopping;
    for (const run of runs) await reaches(second, caller, run, 'succeeded');
    expect([...steps.written.values()]).toEqual(Array.from({ length: 6 }, () => 1));
    const { rows } = await fixture.sql.query('SELECT max(crashes) AS crashes FROM runs WHERE slug = $1', [slug]);
    expect(rows).toEqual([{ crashes: 0 }]);
    await second.stop();
  });

  it('give back what takes too long: a step with a key is done again, one without needs review', async () => {
    const { seen, pass } = gate();
    const steps: PlayedSteps = new PlayedSteps({
      held: async (asked, signal) => {
        if (asked.step.risk === 'read' || seen.begun < 2) await pass(signal);
        return steps.done(asked);
      },
    });
    const first = await fixture.start({}, { executors: steps.executors, graceMs: 1 });
    const caller = await fixture.member();
    const publish = (one: Step) => fixture.publish(workflow([one]));
    const [keyed, plain] = [await publish(keyedWrite('held')), await publish(write('held'))];
    const runs = await Promise.all([keyed, plain].map((slug) => first.stub.createRun(request(slug), { caller })));
    await waitFor(() => seen.begun === 2);
    await first.stop();
    const second = await fixture.start({}, { executors: steps.executors });
    const [again, doubted] = runs as [(typeof runs)[0], (typeof runs)[0]];
    await reaches(second, caller, again, 'succeeded');
    await expect(reaches(second, caller, doubted, 'needs_review')).resolves.toMatchObject({ error: { condition: 'SHUTTING_DOWN' } });
    await second.stop();
  });
});
