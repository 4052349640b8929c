import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '@parley/kit/rpc/client';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ActionRunChanged, type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM, NOTICES } from '@parley/protos/subjects';
import { type TestFixture, newCaller, openFixture, reaches, request } from './fixture.ts';
import { answer, PlayedSteps } from './played-steps.ts';
import { step, workflow, write } from './workflows.ts';

/** The standard health service, as far as a probe needs it: an empty question, one status in the answer. */
const HEALTH = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
  },
} as const;
const SERVING = Buffer.from([0x08, 0x01]);

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

describe.each(['in-process', '127.0.0.1:0'] as const)('the actions service at %s', (listen) => {
  it('is ready until it drains, and then refuses calls with SHUTTING_DOWN', async () => {
    const one = await fixture.start({ listen });
    const { server, stub } = one;
    const by = { caller: newCaller() };
    const ready = {
      ready: true,
      checks: { database: { ok: true }, bus: { ok: true }, outbox: { ok: true }, execution: { detail: 'enabled' } },
    };
    await waitFor(async () => (await server.ready()).checks['bus']?.detail === 'connected');
    await expect(server.ready()).resolves.toMatchObject(ready);
    await expect(stub.getRun({ slug: 's', id: 'r' }, by)).rejects.toMatchObject({ condition: 'ACTION_RUN_NOT_FOUND' });
    await server.drain();
    await expect(server.ready()).resolves.toMatchObject({ ready: false });
    await expect(stub.getRun({ slug: 's', id: 'r' }, by)).rejects.toMatchObject({ condition: 'SHUTTING_DOWN' });
    await one.stop();
  });
});

describe('the actions service over gRPC', () => {
  it('answers health, and no longer serves while it drains', async () => {
    const one = await fixture.start({ listen: '127.0.0.1:0' });
    const { server } = one;
    const health = connect(HEALTH, server.address);
    const by = { caller: newCaller() };
    await expect(health.check({}, by)).resolves.toEqual(SERVING);
    await server.drain();
    await expect(health.check({}, by)).resolves.not.toEqual(SERVING);
    health.close();
    await one.stop();
  });
});

describe('events and notices of runs', () => {
  it('is one durable event when one is accepted and one when it has ended, and a notice of everything', async () => {
    const steps = new PlayedSteps({ broken: () => answer(500) });
    const service = await fixture.start({}, { executors: steps.executors });
    const bus = fixture.openBus();
    const events: Event[] = [];
    const notices: ActionRunChanged[] = [];
    const off = bus.onNotice(NOTICES.actionRunChanged, (bytes) => void notices.push(ActionRunChanged.decode(bytes)));
    const consuming = bus.consume({
      ...{ stream: EVENT_STREAM, durable: 'test', filterSubject: EVENT_FILTERS.actionRuns },
      handler: async (bytes) => void events.push(...EventBatch.decode(bytes).events),
    });
    const caller = await fixture.member();
    const slug = await fixture.publish(workflow([write('one'), step('broken')]));
    const run = await service.stub.createRun(request(slug), { caller });
    await reaches(service, caller, run, 'needs_review');
    const changes = () =>
      new Map(
        events.flatMap(({ id, payload }) =>
          payload?.$case === 'actionRunChanged' && payload.value.runId === run.id ? [[id, payload.value]] : [],
        ),
      );
    await waitFor(() => changes().size === 2);
    const common = { workspaceId: caller.workspaceId, keyId: caller.keyId, slug, version: 1 };
    expect([...changes().values()]).toMatchObject([
      { ...common, status: 'accepted', errorCondition: '', sequence: 1 },
      { ...common, status: 'needs_review', errorCondition: 'ACTION_STEP_FAILED', sequence: 7 },
    ]);
    // Notices may be lost, and the first ones may have been sent before the subscription.
    await waitFor(() => notices.some(({ runId, sequence }) => runId === run.id && sequence === 7));
    off();
    await consuming.stop();
    await bus.drain();
    await service.stop();
  });
});
