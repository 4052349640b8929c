import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { readRunEvents, type TestFixture, openFixture, reaches, request, toLines } from './fixture.ts';
import { answer, gate, PlayedSteps, type Play } from './played-steps.ts';
import { keyedWrite, retry, step, workflow, write } from './workflows.ts';

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

/** Steps named `held` wait until they are let go. */
function held() {
  const door = gate();
  const play: Play = async (asked, signal) => {
    await door.pass(signal);
    return steps.done(asked);
  };
  const steps: PlayedSteps = new PlayedSteps({ held: play, busy: () => answer(503) });
  return { ...door, steps };
}

describe('the time of a step', () => {
  it('ends the run and aborts its executor', async () => {
    const { seen, steps } = held();
    const service = await fixture.start({ stepTimeoutMs: 50 }, { executors: steps.executors });
    const caller = await fixture.member();
    const create = async (one: ReturnType<typeof step>) =>
      service.stub.createRun(request(await fixture.publish(workflow([one]))), { caller });
    const [reading, writing] = [await create(step('held')), await create(write('held'))];
    await expect(reaches(service, caller, reading, 'failed')).resolves.toMatchObject({ error: { condition: 'TIMEOUT' }, effects: [] });
    await expect(reaches(service, caller, writing, 'needs_review')).resolves.toMatchObject({ effects: [{ outcome: 'unknown' }] });
    expect(seen.stopped).toBe(2);
    await service.stop();
  });
});

describe('the time of a run', () => {
  it('ends it in the middle of a step, and in a wait', async () => {
    const { steps } = held();
    const service = await fixture.start({ runTimeoutMs: 300 }, { executors: steps.executors });
    const caller = await fixture.member();
    const create = async (one: ReturnType<typeof step>) =>
      service.stub.createRun(request(await fixture.publish(workflow([one]))), { caller });
    for (const run of [await create(step('held')), await create(step('busy', { onFailure: [retry(9, 3_600)] }))]) {
      await expect(reaches(service, caller, run, 'failed')).resolves.toMatchObject({ verdict: 'failed', error: { condition: 'TIMEOUT' } });
    }
    await service.stop();
  });
});

describe('policies', () => {
  it('that became stricter keep steps of accepted runs from being done', async () => {
    const { seen, open, steps } = held();
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('held'), write('two')]));
    const first = await fixture.start({ maxRisk: 'irreversible' }, { executors: steps.executors });
    const run = await first.stub.createRun(request(slug), { caller });
    await waitFor(() => seen.begun === 1);
    const stopping = first.stop();
    open();
    await stopping;
    const strict = await fixture.start({ maxRisk: 'read' }, { executors: steps.executors });
    await expect(reaches(strict, caller, run, 'failed')).resolves.toMatchObject({
      error: { condition: 'ACTION_RISK_BLOCKED' },
      effects: [],
    });
    await strict.stop();
  });

  it('want a look at what cannot be undone, though everything was as it should be', async () => {
    const { steps } = held();
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('one'), write('two', { risk: 'irreversible' })]));
    const lax = await fixture.start({ maxRisk: 'irreversible', maxRiskWithoutReview: 'write' }, { executors: steps.executors });
    const run = await lax.stub.createRun(request(slug), { caller });
    await expect(reaches(lax, caller, run, 'needs_review')).resolves.toMatchObject({
      verdict: 'needs_review',
      error: undefined,
      output: '{"last":"two"}',
    });
    await lax.stop();
  });

  it('that disable execution let accepted runs wait, and cancelled ones end', async () => {
    const { seen, open, steps } = held();
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('held'), step('one')]));
    const first = await fixture.start({ workers: 1 }, { executors: steps.executors });
    const [one, two, three] = await Promise.all(Array.from({ length: 3 }, () => first.stub.createRun(request(slug), { caller })));
    await waitFor(() => seen.begun === 1);
    const stopping = first.stop();
    open();
    await stopping;
    const disabled = await fixture.start({ executing: false }, { executors: steps.executors });
    const under = [one, two, three].filter((run) => run !== undefined);
    const { rows } = await fixture.sql.query<{ id: string }>(`SELECT id FROM runs WHERE slug = $1 AND status = 'running'`, [slug]);
    const [begun] = under.filter(({ id }) => rows.some((row) => row.id === id));
    if (!begun) throw new Error('none was begun');
    await disabled.stub.cancelRun(begun, { caller });
    await reaches(disabled, caller, begun, 'cancelled');
    const waiting = under.filter(({ id }) => id !== begun.id);
    for (const run of waiting) await expect(disabled.stub.getRun(run, { caller })).resolves.toMatchObject({ status: 'accepted' });
    const again = await fixture.start({}, { executors: steps.executors });
    for (const run of waiting) await reaches(again, caller, run, 'succeeded');
    await Promise.all([disabled.stop(), again.stop()]);
  });
});

describe('a workspace', () => {
  it('has its share at work, and others go on', async () => {
    const { seen, open, steps } = held();
    const service = await fixture.start({ workers: 3, workspaceConcurrency: 1 }, { executors: steps.executors });
    const [caller, neighbour] = [await fixture.member(), await fixture.member()];
    const slug = await fixture.publish(workflow([step('held')]));
    const runs = [await service.stub.createRun(request(slug), { caller }), await service.stub.createRun(request(slug), { caller })];
    await waitFor(() => seen.begun === 1);
    await service.stub.createRun(request(slug), { caller: neighbour });
    await waitFor(() => seen.begun === 2);
    const statuses = await Promise.all(runs.map(async (run) => (await service.stub.getRun(run, { caller })).status));
    expect(statuses.sort()).toEqual(['accepted', 'running']);
    open();
    for (const run of runs) await reaches(service, caller, run, 'succeeded');
    await service.stop();
  });
});

describe('a cancel', () => {
  it('lets the step under way end, over another replica too, and can be asked for twice', async () => {
    const { seen, open, steps } = held();
    const worker = await fixture.start({}, { executors: steps.executors });
    const other = await fixture.start({ executing: false });
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([keyedWrite('held'), step('after')]));
    const run = await worker.stub.createRun(request(slug), { caller });
    await waitFor(() => seen.begun === 1);
    for (const stub of [other.stub, worker.stub])
      await expect(stub.cancelRun(run, { caller })).resolves.toMatchObject({ status: 'cancelling' });
    open();
    const ended = await reaches(other, caller, run, 'cancelled');
    expect(ended).toMatchObject({ verdict: 'needs_review', effects: [{ stepId: 'held', outcome: 'applied' }] });
    expect(steps.order(run.id)).toEqual(['held']);
    await Promise.all([worker.stop(), other.stop()]);
  });

  it('leaves a step that only reads as it is, over another replica too', async () => {
    let begun = 0;
    const reading: Play = (_asked, signal) =>
      new Promise((_resolve, reject) => {
        begun += 1;
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    const worker = await fixture.start({}, { executors: new PlayedSteps({ endless: reading }).executors });
    const other = await fixture.start({ executing: false });
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('endless', { onFailure: [retry(3)] }), step('after')]));
    const run = await worker.stub.createRun(request(slug), { caller });
    await waitFor(() => begun === 1);
    await other.stub.cancelRun(run, { caller });
    await expect(reaches(other, caller, run, 'cancelled')).resolves.toMatchObject({ verdict: '', effects: [], error: undefined });
    const lines = toLines(await readRunEvents(other, caller, run));
    expect(lines.slice(-3)).toEqual(['run.cancelling', 'step.failed endless', 'run.ended']);
    expect(begun).toBe(1);
    await Promise.all([worker.stop(), other.stop()]);
  });

  it('in the last step makes no success of it', async () => {
    const { seen, open, steps } = held();
    const service = await fixture.start({}, { executors: steps.executors });
    const caller = await fixture.member();
    const run = await service.stub.createRun(request(await fixture.publish(workflow([write('held')]))), { caller });
    await waitFor(() => seen.begun === 1);
    await service.stub.cancelRun(run, { caller });
    open();
    const ended = await reaches(service, caller, run, 'cancelled');
    expect(ended).toMatchObject({ verdict: 'needs_review', effects: [{ stepId: 'held', outcome: 'applied' }], output: '' });
    await service.stop();
  });
});

describe('the database', () => {
  it('may be away while a step is done: what it came to is written when it is back', async () => {
    const { seen, open, steps } = held();
    const { hostname, port } = new URL(fixture.databaseUrl);
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    const url = new URL(fixture.databaseUrl);
    url.port = String(proxy.port);
    const behind = await fixture.start({ databaseUrl: url.href }, { executors: steps.executors });
    const beside = await fixture.start({ executing: false });
    const caller = await fixture.member();
    const run = await behind.stub.createRun(request(await fixture.publish(workflow([write('held'), step('after')]))), { caller });
    await waitFor(() => seen.begun === 1);
    proxy.cut();
    open();
    await waitFor(() => steps.written.get(`${run.id} held`) === 1);
    await expect(beside.stub.getRun(run, { caller })).resolves.toMatchObject({ status: 'running' });
    proxy.resume();
    await expect(reaches(beside, caller, run, 'succeeded')).resolves.toMatchObject({ effects: [{ outcome: 'applied' }] });
    expect(steps.order(run.id)).toEqual(['held', 'after']);
    await Promise.all([behind.stop(), beside.stop()]);
    await proxy.close();
  });
});

describe('old runs', () => {
  it('are forgotten with all that belongs to them', async () => {
    const { steps } = held();
    const service = await fixture.start({}, { executors: steps.executors });
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('one')]));
    const [old, young] = [await service.stub.createRun(request(slug), { caller }), await service.stub.createRun(request(slug), { caller })];
    for (const run of [old, young]) await reaches(service, caller, run, 'succeeded');
    await fixture.sql.query(`UPDATE runs SET ended_at = now() - interval '2 days' WHERE id = $1`, [old.id]);
    await service.stop();
    const sweeping = await fixture.start();
    await waitFor(async () => (await fixture.sql.query('SELECT FROM runs WHERE id = $1', [old.id])).rowCount === 0);
    const { rows } = await fixture.sql.query(
      'SELECT (SELECT count(*)::int FROM run_events WHERE run_id = $1) + (SELECT count(*)::int FROM run_steps WHERE run_id = $1) AS left',
      [old.id],
    );
    expect(rows).toEqual([{ left: 0 }]);
    await expect(sweeping.stub.getRun(young, { caller })).resolves.toMatchObject({ status: 'succeeded' });
    await expect(sweeping.stub.getRun(old, { caller })).rejects.toMatchObject({ condition: 'ACTION_RUN_NOT_FOUND' });
    await sweeping.stop();
  });
});
