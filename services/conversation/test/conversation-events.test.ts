import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { ConversationClient, upstreamMessage } from './conversation-client.ts';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { type RecordingBus, createRecordingBus } from './recording-bus.ts';
import { newBeginTurn, newCaller } from './turn-client.ts';

describe('events of conversations', () => {
  const caller = newCaller();
  let fixture: Fixture;
  let running: Running;
  let bus: RecordingBus;
  let mine: ConversationClient;
  beforeAll(async () => {
    fixture = await createFixture();
    bus = createRecordingBus();
    running = await fixture.start({ bus });
    mine = new ConversationClient(running, caller);
  });
  afterAll(() => fixture.close());

  const about = (id: string) =>
    bus.events.flatMap(({ subject, event: { id: eventId, payload } }) =>
      payload?.$case === 'conversationChanged' && payload.value.conversationId === id ? [{ subject, eventId, ...payload.value }] : [],
    );

  it('report every change once, in order, with the state after it', async () => {
    const account = uuidv7();
    const { id } = await mine.create({ upstreamAccountId: account });
    const user = uuidv7();
    for (let twice = 0; twice < 2; twice++) await mine.update(id, { title: 'New' });
    for (let twice = 0; twice < 2; twice++) await mine.archive(id);
    for (let twice = 0; twice < 2; twice++) await mine.restore(id);
    for (let twice = 0; twice < 2; twice++) await mine.share(id, user, 'viewer');
    await mine.updateParticipant(id, user, 'editor');
    await mine.removeParticipant(id, user);
    for (let twice = 0; twice < 2; twice++) await mine.setContinuity(id, 'session_expired');
    for (let twice = 0; twice < 2; twice++) await running.stub.clearContinuity({ upstreamAccountId: account }, { caller: SYSTEM_CALLER });
    for (let twice = 0; twice < 2; twice++) await mine.merge(id, [upstreamMessage('u-1')]);
    for (let twice = 0; twice < 2; twice++) await mine.transfer(id, caller.userId);
    await mine.delete(id);
    const by = { keyId: caller.keyId };
    const expected = [
      { subject: EVENT_SUBJECTS.conversationCreated, ...by, status: 'active', continuityStatus: 'available' },
      { subject: EVENT_SUBJECTS.conversationUpdated, ...by },
      { subject: EVENT_SUBJECTS.conversationArchived, ...by, status: 'archived' },
      { subject: EVENT_SUBJECTS.conversationRestored, ...by, status: 'active' },
      { subject: EVENT_SUBJECTS.conversationShared, ...by, userId: user, role: 'viewer' },
      { subject: EVENT_SUBJECTS.conversationShared, ...by, userId: user, role: 'editor' },
      { subject: EVENT_SUBJECTS.conversationShared, ...by, userId: user, role: '' },
      { subject: EVENT_SUBJECTS.conversationContinuityChanged, ...by, continuityStatus: 'session_expired' },
      { subject: EVENT_SUBJECTS.conversationContinuityChanged, keyId: '', continuityStatus: 'available' },
      { subject: EVENT_SUBJECTS.conversationUpdated, ...by },
      { subject: EVENT_SUBJECTS.conversationTransferred, ...by, userId: caller.userId, role: 'owner' },
      { subject: EVENT_SUBJECTS.conversationDeleted, ...by },
    ];
    const reported = await waitFor(() => (about(id).length >= expected.length ? about(id) : undefined));
    // Events are batched by subject; their ids are in order of creation.
    expect(reported.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))).toMatchObject(expected);
    for (const event of reported) expect(event).toMatchObject({ workspaceId: caller.workspaceId, ownerUserId: caller.userId });
  });

  it('report conversations that are marked together, rebound, or moved with a turn', async () => {
    const [from, to] = [uuidv7(), uuidv7()];
    const { id } = await mine.create({ upstreamAccountId: from });
    const mark = { of: { $case: 'upstreamAccountId' as const, value: from }, status: 'access_lost' };
    for (let twice = 0; twice < 2; twice++) await running.stub.markConversations(mark, { caller });
    const rebinding = { fromAccountId: from, toAccountId: to, keepState: false };
    for (let twice = 0; twice < 2; twice++) await running.stub.rebindConversations(rebinding, { caller });
    await mine.setContinuity(id, 'upstream_unavailable');
    const client = running.as(caller);
    const turn = newBeginTurn({ conversationId: id, newConversation: undefined });
    await client.begin(turn);
    for (const account of [from, to]) await expect(client.move(turn, account)).resolves.toBe(true);
    const expected = [
      { subject: EVENT_SUBJECTS.conversationCreated },
      { subject: EVENT_SUBJECTS.conversationContinuityChanged, continuityStatus: 'access_lost' },
      { subject: EVENT_SUBJECTS.conversationUpdated, continuityStatus: 'available' },
      { subject: EVENT_SUBJECTS.conversationContinuityChanged, continuityStatus: 'available' },
      { subject: EVENT_SUBJECTS.conversationContinuityChanged, continuityStatus: 'upstream_unavailable' },
      { subject: EVENT_SUBJECTS.conversationContinuityChanged, continuityStatus: 'available' },
    ].map((event) => ({ ...event, keyId: caller.keyId }));
    const reported = await waitFor(() => (about(id).length >= expected.length ? about(id) : undefined));
    expect(reported.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))).toMatchObject(expected);
  });

  it('do not report rejected changes', async () => {
    const { id } = await mine.create();
    const stranger = new ConversationClient(running, newCaller());
    await expect(stranger.archive(id)).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    await expect(mine.share(id, uuidv7(), 'owner')).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await mine.archive(id);
    await waitFor(() => about(id).length >= 2);
    expect(about(id).map(({ subject }) => subject)).toEqual([EVENT_SUBJECTS.conversationCreated, EVENT_SUBJECTS.conversationArchived]);
  });
});
