import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { GatewayError } from '@parley/protos/errors';
import { AssetChanged, type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM, EVENT_STREAM_DECLARATION, EVENT_SUBJECTS, NOTICES } from '@parley/protos/subjects';
import { randomUUID } from 'node:crypto';
import { HTML, PNG } from './files.ts';
import { type TestFixture, type Running, artifact, newCaller, newConversation, openFixture, reaches, register } from './fixture.ts';
import { consistsOf, failsWith } from './upstream.ts';

let fixture: TestFixture;
let service: Running;
/** The events and notices that were received. */
const events: { subject: string; id: string; change: AssetChanged }[] = [];
const notices: AssetChanged[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  fixture.bus.declareStream(EVENT_STREAM_DECLARATION);
  fixture.bus.consume({
    ...{ stream: EVENT_STREAM, durable: 'test-assets', filterSubject: EVENT_FILTERS.assets },
    handler: (bytes, { subject }) => {
      for (const { id, payload } of EventBatch.decode(bytes).events) {
        if (payload?.$case === 'assetChanged') events.push({ subject: subject.slice(subject.indexOf('.') + 1), id, change: payload.value });
      }
    },
  });
  fixture.bus.onNotice(NOTICES.assetChanged, (bytes) => void notices.push(AssetChanged.decode(bytes)));
  service = await fixture.start();
});
afterAll(() => fixture.close());

const story = (id: string) => events.filter(({ change }) => change.assetId === id).map(({ subject, change }) => [subject, change.status]);

describe('the life of an asset', () => {
  it('announces every change, by events and notices', async () => {
    const caller = newCaller();
    const one = artifact(fixture.upstream, consistsOf(PNG));
    const { conversationId, messageId } = await register(service, caller, [one]);
    await reaches(service, caller, one.assetId, 'ready');
    await waitFor(() => story(one.assetId).length === 4);
    expect([...story(one.assetId)].sort()).toEqual(
      [
        [EVENT_SUBJECTS.assetDiscovered, 'discovered'],
        [EVENT_SUBJECTS.assetProcessing, 'downloading'],
        [EVENT_SUBJECTS.assetProcessing, 'validating'],
        [EVENT_SUBJECTS.assetReady, 'ready'],
      ].sort(),
    );
    const ready = events.find(({ change }) => change.assetId === one.assetId && change.status === 'ready');
    expect(ready?.change).toMatchObject({
      ...{ workspaceId: caller.workspaceId, conversationId, messageId, projectId: '', assetType: 'image', fileName: 'picture.png' },
      ...{ mimeType: 'image/png', sizeBytes: PNG.length, retryCount: 0, errorCondition: '' },
    });
    const statuses = notices.filter(({ assetId }) => assetId === one.assetId).map(({ status }) => status);
    expect(statuses).toEqual(['discovered', 'downloading', 'validating', 'ready']);
  });

  it('announces a failure with its reason, and a retry', async () => {
    const caller = newCaller();
    const one = artifact(fixture.upstream, failsWith([new GatewayError('FILE_TOO_LARGE', 'too large')], consistsOf(HTML)));
    await register(service, caller, [one]);
    await reaches(service, caller, one.assetId, 'failed');
    await service.stub.retryAsset({ id: one.assetId }, { caller });
    await waitFor(() => story(one.assetId).filter(([, status]) => status === 'failed').length === 2);
    const failures = events.filter(({ change }) => change.assetId === one.assetId && change.status === 'failed');
    expect(failures.map(({ change }) => [change.errorCondition, change.retryCount])).toEqual([
      ['FILE_TOO_LARGE', 0],
      ['UNSUPPORTED_FILE_TYPE', 1],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });
});

describe('the end of a turn', () => {
  it('registers its artifacts once, however often the event is delivered', async () => {
    const caller = newCaller();
    const one = artifact(fixture.upstream, consistsOf(PNG));
    const turn = turnEnded(caller.workspaceId, [one]);
    for (let times = 0; times < 3; times++) await publish(EVENT_SUBJECTS.turnCompleted, [turn, turnEnded(caller.workspaceId, [])]);
    await expect(reaches(service, caller, one.assetId, 'ready')).resolves.toMatchObject({ assetType: 'image', status: 'ready' });
    await publish(EVENT_SUBJECTS.turnCompleted, [turn]);
    await waitFor(async () => (await backlog()) === 0);
    expect(fixture.upstream.fetches.get(one.reference)).toBe(1);
  });

  it('passes over what cannot be used, and goes on', async () => {
    const caller = newCaller();
    const [bad, good] = [artifact(fixture.upstream, consistsOf(PNG)), artifact(fixture.upstream, consistsOf(PNG))];
    await fixture.bus.publish(EVENT_SUBJECTS.turnFailed, Buffer.from('garbage'), { msgId: randomUUID() });
    await publish(EVENT_SUBJECTS.turnFailed, [
      turnEnded(caller.workspaceId, [{ ...bad, assetId: 'x' }]),
      turnEnded(caller.workspaceId, [good]),
    ]);
    await expect(reaches(service, caller, good.assetId, 'ready')).resolves.toBeTruthy();
  });
});

describe('the deletion of a conversation', () => {
  it('removes its assets with their bytes, and lets none come back', async () => {
    const caller = newCaller();
    const make = () => artifact(fixture.upstream, consistsOf(PNG));
    const [gone, stays, late] = [make(), make(), make()];
    const { conversationId } = await register(service, caller, [gone]);
    await register(service, caller, [stays]);
    for (const { assetId } of [gone, stays]) await reaches(service, caller, assetId, 'ready');
    const value = { ...{ conversationId, workspaceId: caller.workspaceId, keyId: '', ownerUserId: '', status: 'active' } };
    const change = { ...value, continuityStatus: 'available', userId: '', role: '', at: new Date() };
    const event: Event = { id: randomUUID(), payload: { $case: 'conversationChanged', value: change } };
    for (let times = 0; times < 3; times++) await publish(EVENT_SUBJECTS.conversationDeleted, [event]);
    await waitFor(async () => !(await fixture.files()).some((name) => name.startsWith(gone.assetId)));
    await expect(service.stub.getAsset({ id: gone.assetId }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    await expect(service.stub.getAsset({ id: stays.assetId }, { caller })).resolves.toMatchObject({ status: 'ready' });
    await publish(EVENT_SUBJECTS.turnCompleted, [turnEnded(caller.workspaceId, [late], conversationId)]);
    const { assets } = await register(service, caller, [late], conversationId);
    expect(assets).toEqual([]);
  });

  it('takes back what was uploaded to it, also when that cannot be done at once', async () => {
    const caller = newCaller();
    const conversationId = newConversation(fixture.upstream, caller);
    const { fileId, asset } = await service.stub.uploadAttachment(
      (async function* () {
        yield { frame: { $case: 'head' as const, value: { conversationId, file: { fileName: 'photo.png', declaredType: '' } } } };
        yield { frame: { $case: 'chunk' as const, value: PNG } };
      })(),
      { caller },
    );
    fixture.upstream.discardFails = new GatewayError('SERVICE_UNAVAILABLE', 'chat-routing is away');
    const value = { ...{ conversationId, workspaceId: caller.workspaceId, keyId: '', ownerUserId: '', status: 'active' } };
    const change = { ...value, continuityStatus: 'available', userId: '', role: '', at: new Date() };
    await publish(EVENT_SUBJECTS.conversationDeleted, [{ id: randomUUID(), payload: { $case: 'conversationChanged', value: change } }]);
    await waitFor(() => fixture.upstream.discarded.includes(fileId));
    await waitFor(async () => !(await fixture.files()).some((name) => name.startsWith(asset?.id ?? '')));
    await expect(service.stub.getAsset({ id: asset?.id ?? '' }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
  });

  it('of a project does the same', async () => {
    const caller = newCaller();
    const projectId = uuidv7();
    fixture.upstream.projects.set(projectId, { workspaceId: caller.workspaceId });
    const file = { fileName: 'photo.png', declaredType: '' };
    const source = await service.stub.uploadProjectFile(
      (async function* () {
        yield { frame: { $case: 'head' as const, value: { projectId, file } } };
        yield { frame: { $case: 'chunk' as const, value: PNG } };
      })(),
      { caller },
    );
    const value = { projectId, workspaceId: caller.workspaceId, connectionId: '', slug: 'p', status: 'deleted', at: new Date() };
    await publish(EVENT_SUBJECTS.projectDeleted, [{ id: randomUUID(), payload: { $case: 'projectChanged', value } }]);
    await waitFor(async () => !(await fixture.files()).some((name) => name.startsWith(source.assetId)));
    await expect(service.stub.getAsset({ id: source.assetId }, { caller })).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
  });
});

function turnEnded(workspaceId: string, artifacts: Artifact[], conversationId = uuidv7()): Event {
  const ids = { turnId: uuidv7(), conversationId, messageId: uuidv7(), workspaceId, keyId: uuidv7(), connectionId: uuidv7() };
  const numbers = { tokensIn: 1, tokensOut: 1, durationMs: 1 };
  const value = { ...ids, ...numbers, model: 'm', status: 'completed', errorCondition: '', endedAt: new Date(), artifacts };
  return { id: randomUUID(), payload: { $case: 'turnEnded', value } };
}

/** Waits for a stream that is still being declared. */
async function publish(subject: string, batch: Event[]): Promise<void> {
  await waitFor(async () => {
    await fixture.bus.publish(subject, EventBatch.encode({ events: batch }).finish(), { msgId: randomUUID() });
    return true;
  });
}

async function backlog(): Promise<number> {
  const { rows } = await fixture.sql.query<{ n: number }>('SELECT count(*)::int AS n FROM outbox');
  return rows[0]?.n ?? 0;
}
