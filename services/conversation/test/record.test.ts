import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import type { Listen } from '@parley/kit/rpc/serve';
import { type Client, type Fixture, type Running, createFixture, newBeginning, newCaller, newEnd, nextBeginning } from './fixture.ts';

const TRANSPORTS: Listen[] = ['in-process', '127.0.0.1:0'];

describe.each(TRANSPORTS)('the record, %s', (listen) => {
  let fixture: Fixture;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ listen });
    client = running.as(newCaller());
  });
  afterAll(() => fixture.close());

  async function stored(conversationId: string) {
    const { rows } = await fixture.sql.query<Record<string, unknown>>('SELECT * FROM conversations WHERE id = $1', [conversationId]);
    return rows[0];
  }

  describe('begin', () => {
    it('commits the conversation, the turn and its messages', async () => {
      const beginning = newBeginning({
        newConversation: { title: 'Trip', upstreamAccountId: 'account-1', upstreamProjectId: '', model: 'auto' },
        messages: [
          { id: uuidv7(), role: 'system', text: 'Be "brief", {please} \\ é', parts: [] },
          { id: uuidv7(), role: 'user', text: 'Hello', parts: [] },
        ],
      });
      await expect(client.begin(beginning)).resolves.toMatchObject({ outcome: 'begun' });
      await expect(client.history(beginning.conversationId)).resolves.toEqual(['system: Be "brief", {please} \\ é', 'user: Hello']);
      await expect(stored(beginning.conversationId)).resolves.toMatchObject({
        workspace_id: client.caller.workspaceId,
        owner_key_id: client.caller.keyId,
        owner_user_id: client.caller.userId,
        title: 'Trip',
        status: 'active',
        destination_type: 'general',
        continuity_status: 'available',
        pinned: false,
      });
    });

    it('binds a conversation to its project', async () => {
      const beginning = newBeginning({
        newConversation: { title: '', upstreamAccountId: 'account-2', upstreamProjectId: 'project-1', model: 'm' },
      });
      await client.turn(beginning);
      await expect(client.open(beginning.conversationId)).resolves.toMatchObject({
        upstreamAccountId: 'account-2',
        upstreamProjectId: 'project-1',
        destinationType: 'project',
        model: 'm',
      });
    });

    it('begins once when asked again with the same turn id', async () => {
      const beginning = newBeginning();
      await client.begin(beginning);
      await expect(client.begin(beginning)).resolves.toMatchObject({ outcome: 'begun' });
      await expect(client.history(beginning.conversationId)).resolves.toEqual(['user: Hello']);
    });

    it('is busy while the turn before has not ended, and for a sequence that is taken', async () => {
      const first = newBeginning();
      await client.begin(first);
      await expect(client.begin(nextBeginning(first))).resolves.toMatchObject({ outcome: 'busy' });
      await expect(client.begin(nextBeginning(first, { sequence: 1 }))).resolves.toMatchObject({ outcome: 'busy' });
      await client.end(newEnd(first));
      await expect(client.begin(nextBeginning(first, { sequence: 1 }))).resolves.toMatchObject({ outcome: 'busy' });
      await expect(client.begin(nextBeginning(first, { sequence: 3 }))).resolves.toMatchObject({ outcome: 'busy' });
      await expect(client.begin(nextBeginning(first))).resolves.toMatchObject({ outcome: 'begun' });
    });

    it('answers the earlier turn for the same idempotency key and request', async () => {
      const request = { idempotencyKey: 'once', requestDigest: Buffer.from('digest') };
      const first = newBeginning(request);
      await client.begin(first);
      await client.savePartial(first.turnId, 'so far');
      await expect(client.begin(newBeginning(request))).resolves.toMatchObject({
        outcome: 'duplicate',
        earlier: { turnId: first.turnId, status: 'streaming', text: 'so far' },
      });
      await client.end(newEnd(first, { model: 'm-2' }));
      const again = await client.begin(nextBeginning(first, request));
      expect(again).toMatchObject({
        outcome: 'duplicate',
        earlier: {
          turnId: first.turnId,
          conversationId: first.conversationId,
          assistantMessageId: first.assistantMessageId,
          status: 'completed',
          text: 'Hi there',
          finishReason: 'stop',
          model: 'm-2',
          tokensIn: 3,
          tokensOut: 5,
        },
      });
      expect(again.earlier?.startedAt).toBeInstanceOf(Date);
      await expect(client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    });

    it('answers the error of an earlier turn that failed', async () => {
      const request = { idempotencyKey: 'fails', requestDigest: Buffer.from('digest') };
      const error = { condition: 'PROVIDER_RATE_LIMITED', message: 'slow down', retryAfterMs: 2_000 };
      await client.turn(newBeginning(request), { status: 'failed', text: '', error });
      await expect(client.begin(newBeginning(request))).resolves.toMatchObject({
        outcome: 'duplicate',
        earlier: { status: 'failed', error },
      });
    });

    it('refuses an idempotency key that was used with another request', async () => {
      await client.begin(newBeginning({ idempotencyKey: 'reused', requestDigest: Buffer.from('one') }));
      const other = newBeginning({ idempotencyKey: 'reused', requestDigest: Buffer.from('two') });
      await expect(client.begin(other)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'Idempotency-Key' });
      await expect(stored(other.conversationId)).resolves.toBeUndefined();
    });

    it('keeps idempotency keys of different API keys apart', async () => {
      const request = { idempotencyKey: 'mine', requestDigest: Buffer.from('digest') };
      await client.begin(newBeginning(request));
      await expect(running.as(newCaller()).begin(newBeginning(request))).resolves.toMatchObject({ outcome: 'begun' });
    });

    it('never adds a turn to somebody else’s conversation', async () => {
      const first = await client.turn(newBeginning());
      const stranger = running.as(newCaller());
      const colleague = running.as(newCaller({ workspaceId: client.caller.workspaceId }));
      for (const other of [stranger, colleague]) {
        const denied = { condition: 'CONVERSATION_ACCESS_DENIED' };
        await expect(other.begin(nextBeginning(first))).rejects.toMatchObject(denied);
        const { newConversation } = newBeginning();
        await expect(other.begin(newBeginning({ conversationId: first.conversationId, newConversation }))).rejects.toMatchObject(denied);
      }
      await expect(client.open(first.conversationId)).resolves.toMatchObject({ lastSequence: 1 });
    });

    it('refuses to continue what does not exist or was deleted', async () => {
      const missing = { condition: 'CONVERSATION_NOT_FOUND' };
      await expect(client.begin(nextBeginning(newBeginning()))).rejects.toMatchObject(missing);
      const first = await client.turn(newBeginning());
      await fixture.sql.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [first.conversationId]);
      await expect(client.begin(nextBeginning(first))).rejects.toMatchObject(missing);
    });

    it.each([
      ['turnId', { turnId: 'x' }],
      ['runnerId', { runnerId: '' }],
      ['sequence 0', { sequence: 0 }],
      ['sequence of a new conversation', { sequence: 2 }],
      ['role', { messages: [{ id: uuidv7(), role: 'tool', text: '', parts: [] }] }],
      ['idempotency key', { idempotencyKey: 'k'.repeat(256) }],
    ])('refuses a bad %s', async (_name, over) => {
      await expect(client.begin(newBeginning(over))).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    });

    it('refuses a caller without a key', async () => {
      await expect(running.as(SYSTEM_CALLER).begin(newBeginning())).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    });
  });

  describe('end', () => {
    it('commits the answer, the outcome, the state and the last activity', async () => {
      const first = newBeginning();
      await client.begin(first);
      const before = await stored(first.conversationId);
      await expect(client.end(newEnd(first, { upstreamState: 'state-1' }))).resolves.toBe(true);
      await expect(client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
      const after = await stored(first.conversationId);
      expect(after).toMatchObject({ message_count: 2, upstream_state: 'state-1' });
      expect(Number(after?.last_message_at)).toBeGreaterThanOrEqual(Number(before?.last_message_at));
      const { rows } = await fixture.sql.query('SELECT * FROM turn_ends WHERE turn_id = $1', [first.turnId]);
      expect(rows).toMatchObject([{ status: 'completed', finish_reason: 'stop', tokens_in: 3, tokens_out: 5, duration_ms: 120 }]);
    });

    it('keeps the newest state when a turn says nothing of it', async () => {
      const first = await client.turn(newBeginning(), { upstreamState: 'state-1' });
      await client.turn(nextBeginning(first), { upstreamState: '', status: 'failed' });
      await expect(client.open(first.conversationId)).resolves.toMatchObject({ upstreamState: 'state-1', lastSequence: 2, busy: false });
    });

    it('is the same when given twice, and says so when it was not', async () => {
      const first = newBeginning();
      await client.begin(first);
      await expect(client.end(newEnd(first))).resolves.toBe(true);
      await expect(client.end(newEnd(first))).resolves.toBe(true);
      await expect(client.end(newEnd(first, { text: 'Another answer' }))).resolves.toBe(false);
      await expect(client.end(newEnd(first, { status: 'interrupted' }))).resolves.toBe(false);
      await expect(client.history(first.conversationId)).resolves.toHaveLength(2);
      const { rows } = await fixture.sql.query('SELECT message_count FROM conversations WHERE id = $1', [first.conversationId]);
      expect(rows).toEqual([{ message_count: 2 }]);
    });

    it('keeps a failed turn without text, with its error', async () => {
      const error = { condition: 'PROVIDER_UNAVAILABLE', message: 'down', param: 'model' };
      const first = await client.turn(newBeginning(), { status: 'failed', text: '', error });
      await expect(client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: ']);
      const { rows } = await fixture.sql.query('SELECT * FROM turn_ends WHERE turn_id = $1', [first.turnId]);
      expect(rows).toMatchObject([
        { error_condition: 'PROVIDER_UNAVAILABLE', error_message: 'down', error_param: 'model', error_retry_after_ms: null },
      ]);
    });

    it('takes text that PostgreSQL cannot hold', async () => {
      const first = newBeginning();
      await client.begin(first);
      const end = newEnd(first, { text: 'a\0b \ud83d c', finishReason: 'st\0op' });
      await expect(client.end(end)).resolves.toBe(true);
      await expect(client.end(end)).resolves.toBe(true);
      await expect(client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: ab \ufffd c']);
    });

    it('ends nobody else’s turn, and none that does not exist', async () => {
      const first = newBeginning();
      await client.begin(first);
      await expect(running.as(newCaller()).end(newEnd(first))).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
      await expect(client.end(newEnd(newBeginning()))).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
      await expect(client.end(newEnd(first, { status: 'streaming' }))).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
      await expect(client.open(first.conversationId)).resolves.toMatchObject({ busy: true });
    });

    it('waits for a beginning that is still being written', async () => {
      const first = newBeginning();
      const [begun, closed] = await Promise.all([client.begin(first), client.end(newEnd(first))]);
      expect([begun.outcome, closed]).toEqual(['begun', true]);
    });
  });

  describe('open', () => {
    it('answers where a conversation lives and how it stands', async () => {
      const first = newBeginning();
      await client.begin(first);
      const binding = {
        conversationId: first.conversationId,
        upstreamAccountId: 'account-1',
        upstreamProjectId: '',
        destinationType: 'general',
        model: 'auto',
        continuityStatus: 'available',
        upstreamState: '',
        lastSequence: 1,
        busy: true,
      };
      await expect(client.open(first.conversationId)).resolves.toEqual(binding);
      await client.end(newEnd(first, { upstreamState: 's' }));
      await expect(client.open(first.conversationId.toUpperCase())).resolves.toEqual({ ...binding, busy: false, upstreamState: 's' });
    });

    it('continues an archived conversation', async () => {
      const first = await client.turn(newBeginning());
      await fixture.sql.query("UPDATE conversations SET status = 'archived' WHERE id = $1", [first.conversationId]);
      await client.turn(nextBeginning(first));
      await expect(stored(first.conversationId)).resolves.toMatchObject({ status: 'archived', message_count: 4 });
    });

    it('refuses what does not exist, was deleted, or is somebody else’s', async () => {
      const first = await client.turn(newBeginning());
      const missing = { condition: 'CONVERSATION_NOT_FOUND' };
      await expect(client.open(uuidv7())).rejects.toMatchObject(missing);
      await expect(client.open('not-a-uuid')).rejects.toMatchObject(missing);
      for (const other of [
        newCaller(),
        newCaller({ workspaceId: client.caller.workspaceId }),
        newCaller({ keyId: client.caller.keyId }),
        SYSTEM_CALLER,
      ]) {
        await expect(running.as(other).open(first.conversationId)).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
      }
      await fixture.sql.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [first.conversationId]);
      await expect(client.open(first.conversationId)).rejects.toMatchObject(missing);
    });
  });

  describe('partial', () => {
    async function partials(turnId: string) {
      const { rows } = await fixture.sql.query<{ text: string }>('SELECT text FROM turn_partials WHERE turn_id = $1', [turnId]);
      return rows;
    }

    it('keeps the newest text until the turn ends', async () => {
      const first = newBeginning();
      await client.begin(first);
      await Promise.all(['one', 'one two', 'one two\0 three'].map((text) => client.savePartial(first.turnId, text)));
      await expect(partials(first.turnId)).resolves.toEqual([{ text: 'one two three' }]);
      await client.end(newEnd(first));
      await expect(partials(first.turnId)).resolves.toEqual([]);
      await client.savePartial(first.turnId, 'late');
      await expect(partials(first.turnId)).resolves.toEqual([]);
    });

    it('is kept for a service that acts for itself, not for another key', async () => {
      const first = newBeginning();
      await client.begin(first);
      await running.as(newCaller()).savePartial(first.turnId, 'not mine');
      await expect(partials(first.turnId)).resolves.toEqual([]);
      await running.as(SYSTEM_CALLER).savePartial(first.turnId, 'theirs');
      await expect(partials(first.turnId)).resolves.toEqual([{ text: 'theirs' }]);
    });
  });
});
