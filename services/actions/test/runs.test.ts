import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { readRunEvents, type TestFixture, newCaller, openFixture, reaches, request, type Running, toLines } from './fixture.ts';
import { answer, gate, lost, PlayedSteps } from './played-steps.ts';
import { goTo, keyedWrite, retry, step, workflow, write } from './workflows.ts';

let fixture: TestFixture;
let service: Running;
const refused = answer(500, {});
const hold = gate();
const tries = new Map<string, number>();
/** Fails until it has been asked for the given time. */
const nth = (id: string) => tries.set(id, (tries.get(id) ?? 0) + 1).get(id) ?? 0;
const steps: PlayedSteps = new PlayedSteps({
  broken: () => refused,
  rejected: () => answer(422, {}),
  lost: () => Promise.reject(lost('unknown')),
  unsent: () => Promise.reject(lost('none')),
  held: async (asked, signal) => {
    await hold.pass(signal);
    return steps.done(asked);
  },
  third: (asked) => (nth(asked.runId) < 3 ? refused : steps.done(asked)),
  later: (asked) => (nth(asked.runId) < 2 ? answer(503, {}, { 'retry-after': '300' }) : steps.done(asked)),
  // As if it had done many before.
  far: async (asked) => {
    await fixture.sql.query('UPDATE runs SET executions = 198 WHERE id = $1', [asked.runId]);
    return steps.done(asked);
  },
  large: () => answer(200, { of: 'x'.repeat(300_000) }),
  secret: () => answer(200, {}, { 'set-cookie': 'session=1', authorization: 'Bearer x', 'x-ok': 'yes' }),
});
beforeAll(async () => {
  fixture = await openFixture();
  service = await fixture.start({ workers: 8, workspaceConcurrency: 8 }, { executors: steps.executors });
});
afterAll(() => fixture.close());

const SKIPPED = { id: '', slug: '' };

describe('a run', () => {
  it('is accepted, does its steps in their order and answers what the last one gave', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('one'), write('two'), step('three')]));
    const run = await service.stub.createRun(request(slug, { input: '{"a":1}' }), { caller });
    expect(run).toMatchObject({ slug, version: 1, status: 'accepted', verdict: '', output: '', effects: [] });
    const done = await reaches(service, caller, run, 'succeeded');
    expect(done).toMatchObject({ verdict: 'passed', output: '{"last":"three"}', error: undefined });
    expect(done.effects).toMatchObject([{ stepId: 'two', risk: 'write', outcome: 'applied' }]);
    expect(steps.order(run.id)).toEqual(['one', 'two', 'three']);
    const events = await readRunEvents(service, caller, run);
    const done3 = ['one', 'two', 'three'].flatMap((id) => [`step.started ${id}`, `step.succeeded ${id}`]);
    expect(toLines(events)).toEqual(['run.accepted', 'run.started', ...done3, 'run.ended']);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    const [asked] = steps.asked.filter(({ runId }) => runId === run.id);
    expect(asked).toMatchObject({ caller: { workspaceId: caller.workspaceId, keyId: caller.keyId }, idempotencyKey: `${run.id}:one` });
  });

  it('pages its events, and says when there are no more', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('held')]));
    const { id } = await service.stub.createRun(request(slug), { caller });
    await waitFor(() => steps.order(id).length === 1);
    const page = (after: number, limit = 0) => service.stub.listRunEvents({ slug, id, after, limit }, { caller });
    await expect(page(0)).resolves.toMatchObject({ complete: false });
    await expect(page(99)).resolves.toEqual({ events: [], complete: false });
    hold.open();
    await reaches(service, caller, { slug, id }, 'succeeded');
    await expect(page(0, 2)).resolves.toMatchObject({ events: [{ sequence: 1 }, { sequence: 2 }], complete: false });
    await expect(page(2, 3)).resolves.toMatchObject({ events: [{ sequence: 3 }, { sequence: 4 }, { sequence: 5 }], complete: true });
    await expect(page(5)).resolves.toEqual({ events: [], complete: true });
  });

  it('is one for any number of requests with one idempotency key, and another body is refused', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([write('one')]));
    const same = request(slug, { idempotencyKey: 'k', requestDigest: Buffer.alloc(32, 1) });
    const runs = await Promise.all(Array.from({ length: 50 }, () => service.stub.createRun(same, { caller })));
    const [run] = runs;
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    await reaches(service, caller, run ?? SKIPPED, 'succeeded');
    expect(steps.written.get(`${run?.id} one`)).toBe(1);
    await expect(service.stub.createRun({ ...same, requestDigest: Buffer.alloc(32, 2) }, { caller })).rejects.toMatchObject({
      ...{ condition: 'VALIDATION_ERROR', param: 'idempotency_key' },
    });
    await fixture.sql.query(`UPDATE actions SET status = 'disabled' WHERE slug = $1`, [slug]);
    await expect(service.stub.createRun(same, { caller })).resolves.toMatchObject({ id: run?.id, effects: [{ stepId: 'one' }] });
  });

  it('is its workspace’s alone, and its action’s', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('one')]));
    const { id } = await service.stub.createRun(request(slug), { caller });
    const foreign = { caller: await fixture.member() };
    const calls = [
      service.stub.getRun,
      service.stub.cancelRun,
      (asked: { slug: string; id: string }, by: typeof foreign) => service.stub.listRunEvents({ ...asked, after: 0, limit: 0 }, by),
    ];
    for (const call of calls) {
      await expect(call({ slug, id }, foreign)).rejects.toMatchObject({ condition: 'ACTION_RUN_NOT_FOUND' });
      await expect(call({ slug: 'other', id }, { caller })).rejects.toMatchObject({ condition: 'ACTION_RUN_NOT_FOUND' });
    }
    await expect(service.stub.listRuns({ slug, status: '', limit: 0, offset: 0 }, foreign)).resolves.toEqual({ runs: [], total: 0 });
    await reaches(service, caller, { slug, id }, 'succeeded');
    const list = (status: string) => service.stub.listRuns({ slug, status, limit: 0, offset: 0 }, { caller });
    await expect(list('succeeded')).resolves.toMatchObject({ runs: [{ id }], total: 1 });
    await expect(list('failed')).resolves.toEqual({ runs: [], total: 0 });
    await expect(list('done')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'status' });
  });

  it('is refused for one reason after the other', async () => {
    const caller = newCaller();
    const by = { caller };
    const slug = `a-${uuidv7()}`;
    const create = (to: Running, part: Partial<Parameters<typeof request>[1]> = {}) => to.stub.createRun(request(slug, part), by);
    const disabled = await fixture.start({ executing: false, maxRisk: 'read' }, { executors: steps.executors });
    const careful = await fixture.start({ maxRisk: 'read' }, { executors: steps.executors });
    await expect(create(disabled)).rejects.toMatchObject({ condition: 'ACTION_NOT_FOUND' });
    await fixture.publish(workflow([write('one')], { requiresConnection: true }), slug);
    await expect(create(disabled)).rejects.toMatchObject({ condition: 'ACTIONS_DISABLED' });
    await expect(disabled.stub.getEligibility({}, by)).resolves.toEqual({ enabled: false, reason: 'execution_disabled' });
    await expect(create(careful)).rejects.toMatchObject({ condition: 'ACTIONS_DISABLED' });
    await expect(careful.stub.getEligibility({}, by)).resolves.toEqual({ enabled: false, reason: 'not_in_cohort' });
    await fixture.sql.query('INSERT INTO cohort (workspace_id) VALUES ($1)', [caller.workspaceId]);
    await expect(careful.stub.getEligibility({}, by)).resolves.toEqual({ enabled: true, reason: '' });
    await expect(create(careful)).rejects.toMatchObject({ condition: 'ACTION_RISK_BLOCKED' });
    await expect(create(service, { input: '[]' })).rejects.toMatchObject({
      condition: 'ACTION_CONNECTION_REQUIRED',
      param: 'connection_id',
    });
    const account = { id: uuidv7(), provider: 'http-api', status: 'active' };
    fixture.beside.accounts.set(caller.workspaceId, [account, { ...account, id: uuidv7(), provider: 'sandbox' }]);
    await expect(create(service, { connectionId: uuidv7() })).rejects.toMatchObject({ condition: 'ACTION_CONNECTION_REQUIRED' });
    await expect(create(service, { connectionId: 'x' })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'connection_id' });
    for (const input of ['[]', 'null', '"a"', '{']) {
      await expect(create(service, { input })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'input' });
    }
    await expect(create(service, { idempotencyKey: 'k'.repeat(256) })).rejects.toMatchObject({ param: 'idempotency_key' });
    await expect(create(service, { connectionId: account.id })).resolves.toMatchObject({ connectionId: account.id });
    await Promise.all([disabled.stop(), careful.stop()]);
  });

  it('waits while execution is disabled, and can be cancelled', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('one')]));
    const id = uuidv7();
    await fixture.sql.query(
      `INSERT INTO runs (id, workspace_id, key_id, user_id, slug, version, input, status, lease_until, lease_owner)
       VALUES ($1, $2, '', '', $3, 1, '{}', 'accepted', now() + interval '1 hour', 'elsewhere')`,
      [id, caller.workspaceId, slug],
    );
    await expect(service.stub.cancelRun({ slug, id }, { caller })).resolves.toMatchObject({ status: 'cancelled', verdict: '' });
    await expect(service.stub.cancelRun({ slug, id }, { caller })).rejects.toMatchObject({ condition: 'ACTION_RUN_NOT_CANCELLABLE' });
  });
});

describe('the verdict of a run', () => {
  it.each([
    ['a criterion that is false', [step('broken')], 'failed', 'failed', []],
    ['a refusal of the first write', [write('rejected')], 'failed', 'failed', []],
    ['a write that was never sent', [write('unsent')], 'failed', 'failed', []],
    ['a write of unknown effect', [write('lost')], 'needs_review', 'needs_review', ['lost unknown']],
    ['a write that broke over there', [write('broken')], 'needs_review', 'needs_review', ['broken unknown']],
    ['a criterion that is false after a write', [write('one'), step('broken')], 'needs_review', 'needs_review', ['one applied']],
    ['outputs without end', [step('large')], 'failed', 'failed', []],
    ['a loop without end', [step('far'), step('one', { onSuccess: [goTo('one')] })], 'failed', 'failed', []],
    ['a write in a loop', [write('one'), step('two', { onSuccess: [goTo('one')] })], 'needs_review', 'needs_review', ['one applied']],
  ])('after %s', async (_why, done, status, verdict, effects) => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow(done));
    const run = await service.stub.createRun(request(slug), { caller });
    const ended = await reaches(service, caller, run, status);
    expect(ended).toMatchObject({ verdict, output: '' });
    expect(steps.order(run.id).length).toBeLessThan(4);
    expect(ended.error?.condition).toMatch(/^(ACTION_STEP_FAILED|PROVIDER_UNAVAILABLE)$/);
    expect(ended.effects.map(({ stepId, outcome }) => `${stepId} ${outcome}`)).toEqual(effects);
    expect([...steps.written].filter(([name, count]) => name.startsWith(run.id) && count > 1)).toEqual([]);
  });
});

describe('a step that failed', () => {
  it('is repeated as often as its action says, with the same key', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([keyedWrite('third', { onFailure: [retry(2)] })]));
    const run = await service.stub.createRun(request(slug), { caller });
    await expect(reaches(service, caller, run, 'succeeded')).resolves.toMatchObject({
      verdict: 'passed',
      effects: [{ outcome: 'applied' }],
    });
    const asked = steps.asked.filter(({ runId }) => runId === run.id);
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(asked.map(({ retries }) => retries)).toEqual([0, 1, 2]);
    expect(toLines(await readRunEvents(service, caller, run)).filter((line) => line.startsWith('step.'))).toEqual([
      ...Array.from({ length: 2 }, () => ['step.started third', 'step.failed third', 'step.retrying third']).flat(),
      ...['step.started third', 'step.succeeded third'],
    ]);
  });

  it('fails when its repetitions are used up, and goes on where its next action says', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('third', { onFailure: [retry(1), goTo('tidy')] }), step('one'), step('tidy')]));
    const run = await service.stub.createRun(request(slug), { caller });
    await expect(reaches(service, caller, run, 'succeeded')).resolves.toMatchObject({ output: '{"last":"tidy"}' });
    expect(steps.order(run.id)).toEqual(['third', 'third', 'tidy']);
    expect(toLines(await readRunEvents(service, caller, run))).toContain('step.skipped one');
  });

  it('is not repeated when it writes without a key, unless nothing happened', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([write('lost', { onFailure: [retry(5)] })]));
    const other = await fixture.publish(workflow([write('unsent', { onFailure: [retry(2)] })]));
    const [run, again] = await Promise.all([slug, other].map((one) => service.stub.createRun(request(one), { caller })));
    await reaches(service, caller, run ?? SKIPPED, 'needs_review');
    await reaches(service, caller, again ?? SKIPPED, 'failed');
    expect([steps.order(run?.id ?? ''), steps.order(again?.id ?? '')]).toEqual([['lost'], ['unsent', 'unsent', 'unsent']]);
  });

  it('waits as long as the other side asks for, gives its place away meanwhile, and can be cancelled', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([write('one'), step('later', { onFailure: [retry(3, 1)] })]));
    const create = () => service.stub.createRun(request(slug), { caller });
    const [run, other] = await Promise.all([create(), create()]);
    const waits = async (id: string) =>
      (
        await fixture.sql.query(`SELECT FROM runs WHERE id = $1 AND lease_until IS NULL AND next_attempt_at > now() + interval '4 min'`, [
          id,
        ])
      ).rowCount === 1;
    await waitFor(async () => (await waits(run.id)) && (await waits(other.id)));
    await expect(service.stub.cancelRun({ slug, id: run.id }, { caller })).resolves.toMatchObject({ status: 'cancelling' });
    const cancelled = await reaches(service, caller, run, 'cancelled');
    expect(cancelled).toMatchObject({ verdict: 'needs_review', effects: [{ stepId: 'one', outcome: 'applied' }], error: undefined });
    await fixture.sql.query('UPDATE runs SET next_attempt_at = now() WHERE id = $1', [other.id]);
    await reaches(service, caller, other, 'succeeded');
    expect(toLines(await readRunEvents(service, caller, run)).slice(-2)).toEqual(['run.cancelling', 'run.ended']);
  });

  it('keeps no headers that carry secrets', async () => {
    const caller = await fixture.member();
    const outputs = { cookie: '$response.header.set-cookie', auth: '$response.header.authorization', ok: '$response.header.x-ok' };
    const slug = await fixture.publish(workflow([step('secret', { outputs })], { outputs: { all: '$steps.secret.outputs' } }));
    const run = await service.stub.createRun(request(slug), { caller });
    await reaches(service, caller, run, 'succeeded');
    const { rows } = await fixture.sql.query('SELECT outputs FROM run_steps WHERE run_id = $1', [run.id]);
    expect(rows).toEqual([{ outputs: '{"ok":"yes"}' }]);
  });
});

describe('file inputs', () => {
  const input = '{"file":{"asset_id":"a1"},"other":{"asset_id":"a2"}}';

  it('are given to the run before its first step', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([step('one')], { fileInputs: ['file', 'other', 'third'] }));
    const run = await service.stub.createRun(request(slug, { input }), { caller });
    await reaches(service, caller, run, 'succeeded');
    expect(fixture.beside.consumed).toContainEqual({ assetIds: ['a1', 'a2'], actionSlug: slug, runId: run.id });
  });

  it('that are no good fail it, and nothing is done', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([write('one')], { fileInputs: ['file'] }));
    fixture.beside.refusal = new GatewayError('ASSET_INPUT_INVALID', 'used already');
    const run = await service.stub.createRun(request(slug, { input }), { caller });
    await expect(reaches(service, caller, run, 'failed')).resolves.toMatchObject({
      verdict: 'failed',
      error: { condition: 'ASSET_INPUT_INVALID' },
    });
    fixture.beside.refusal = undefined;
    expect(steps.order(run.id)).toEqual([]);
  });

  it('that are not available now are requested later', async () => {
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([write('one')], { fileInputs: ['file'] }));
    fixture.beside.refusal = new GatewayError('SERVICE_UNAVAILABLE', 'away');
    const run = await service.stub.createRun(request(slug, { input }), { caller });
    await waitFor(() => fixture.beside.consumed.some(({ runId }) => runId === run.id));
    fixture.beside.refusal = undefined;
    await reaches(service, caller, run, 'succeeded');
  });
});
