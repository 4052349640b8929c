import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ConversationClient, upstreamMessage } from './conversation-client.ts';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const asking = (text: string) => ({ messages: [{ id: uuidv7(), role: 'user', text, parts: [], files: [] }] });

describe('the text index', () => {
  let fixture: Fixture;
  let running: Running;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await start();
  });
  afterAll(() => fixture.close());

  const start = () => fixture.start({ bus: createRecordingBus(), searchIndexBytes: 0, searchIntervalMs: 50 });

  /** A new caller with its turns and conversations. */
  function newOwner(over = {}): { turns: TurnClient; mine: ConversationClient } {
    const caller = newCaller({ userId: '', ...over });
    return { turns: running.as(caller), mine: new ConversationClient(running, caller) };
  }

  const count = async (text: string, values: unknown[]) => (await fixture.sql.query(text, values)).rowCount;
  const documents = (conversationId: string) => count('SELECT FROM search_documents WHERE conversation_id = $1', [conversationId]);
  const isCovered = (owner: string) =>
    count(`SELECT FROM search_owners WHERE owner_id = $1 AND covered_until > now() - interval '5 minutes'`, [owner]);

  /** Makes the messages an hour old: the index covers no activity of the last minute. */
  async function age({ caller }: ConversationClient): Promise<void> {
    const text = `UPDATE conversations SET last_message_at = last_message_at - interval '1 hour' WHERE workspace_id = $1`;
    await fixture.sql.query(text, [caller.workspaceId]);
  }

  /** Waits until the index covers all messages so far. */
  async function index(mine: ConversationClient): Promise<void> {
    await age(mine);
    await mine.search('anything');
    const due = `UPDATE search_owners SET covered_until = now() - interval '1 day' WHERE owner_id = $1`;
    await fixture.sql.query(due, [mine.caller.keyId]);
    await waitFor(async () => (await isCovered(mine.caller.keyId)) === 1);
  }

  /** An owner with an indexed conversation about gannets. */
  async function newIndexed() {
    const owner = newOwner();
    const first = await owner.turns.turn(newBeginTurn(asking('a gannet')), { text: 'an answer about puffins' });
    await index(owner.mine);
    expect(await documents(first.conversationId)).toBe(3);
    return { ...owner, first, id: first.conversationId };
  }

  it('is not written for owners who never search', async () => {
    const { turns, mine } = newOwner();
    const { conversationId } = await turns.turn(newBeginTurn(asking('a razorbill')));
    await mine.update(conversationId, { title: 'Razorbills' });
    await mine.merge(conversationId, [upstreamMessage('u-1')]);
    await mine.import([{ role: 'user', text: 'an auk' }]);
    await age(mine);
    await newIndexed();
    for (const table of ['search_owners', 'search_conversations'])
      expect(await count(`SELECT FROM ${table} WHERE workspace_id = $1`, [mine.caller.workspaceId])).toBe(0);
    expect(await documents(conversationId)).toBe(0);
  });

  it('is not written for owners with little text', async () => {
    const other = await fixture.start({ bus: createRecordingBus() });
    const caller = newCaller();
    await other.as(caller).turn(newBeginTurn(asking('a razorbill')));
    await expect(new ConversationClient(other, caller).search('razorbill')).resolves.toHaveLength(1);
    await other.stop();
    expect(await count('SELECT FROM search_owners WHERE workspace_id = $1', [caller.workspaceId])).toBe(0);
  });

  it('is complemented by what is newer: turns of old and new conversations, and messages of running turns', async () => {
    const { turns, mine, first, id } = await newIndexed();
    const second = await turns.turn(nextBeginTurn(first, asking('a skua')), { text: 'about terns' });
    await expect(mine.search('SKUA')).resolves.toEqual([id]);
    await expect(mine.search('terns')).resolves.toEqual([id]);
    const other = await turns.turn(newBeginTurn(asking('another gannet')));
    await expect(mine.search('gannet')).resolves.toEqual([other.conversationId, id]);
    await expect(mine.list({ search: 'gannet', limit: 1 })).resolves.toMatchObject({ total: 2, totalExceeded: false });
    await index(mine);
    expect(await documents(id)).toBe(5);
    const third = nextBeginTurn(second, asking('a fulmar'));
    await turns.begin(third);
    await expect(mine.search('fulmar')).resolves.toEqual([id]);
    await turns.end(newEndTurn(third, { text: 'petrels' }));
    await expect(mine.search('petrels')).resolves.toEqual([id]);
  });

  it('does not find an indexed answer that a repeated turn replaces', async () => {
    const { turns, mine, first, id } = await newIndexed();
    const again = nextBeginTurn(first, { messages: [] });
    await turns.begin(again);
    await expect(mine.search('puffins')).resolves.toEqual([]);
    await expect(mine.search('gannet')).resolves.toEqual([id]);
    await turns.end(newEndTurn(again, { text: 'guillemots' }));
    await index(mine);
    await expect(mine.search('puffins')).resolves.toEqual([]);
    await expect(mine.search('guillemots')).resolves.toEqual([id]);
    expect(await documents(id)).toBe(3);
  });

  it('follows changes at once: titles, merges, archiving, transfer and deletion', async () => {
    const { mine, id } = await newIndexed();
    await mine.update(id, { title: 'Shearwaters' });
    await expect(mine.search('shearwater')).resolves.toEqual([id]);
    await index(mine);
    await mine.merge(id, [
      upstreamMessage('u-1', { text: 'a gannet' }),
      upstreamMessage('u-2', { role: 'assistant', text: 'about dippers' }),
    ]);
    await expect(mine.search('dippers')).resolves.toEqual([id]);
    await expect(mine.search('puffins')).resolves.toEqual([]);
    await index(mine);
    expect(await documents(id)).toBe(3);
    await mine.archive(id);
    await expect(mine.list({ search: 'dippers', statusFilter: 'archived' })).resolves.toMatchObject({ total: 1 });
    await expect(mine.list({ search: 'dippers', statusFilter: 'active' })).resolves.toMatchObject({ total: 0 });
    const { mine: next } = newOwner({ workspaceId: mine.caller.workspaceId, userId: uuidv7() });
    await next.import([{ role: 'user', text: 'an eider' }]);
    await index(next);
    await mine.transfer(id, next.caller.userId);
    await expect(mine.search('dippers')).resolves.toEqual([]);
    await expect(next.search('dippers')).resolves.toEqual([id]);
    await next.delete(id);
    await expect(next.search('dippers')).resolves.toEqual([]);
    expect(await documents(id)).toBe(0);
  });

  it('serves the users a conversation is shared with, and no other tenant', async () => {
    const { turns, mine, first, id } = await newIndexed();
    const { mine: friend } = newOwner({ workspaceId: mine.caller.workspaceId, userId: uuidv7() });
    await expect(friend.search('gannet')).resolves.toEqual([]);
    await mine.share(id, friend.caller.userId, 'viewer');
    await expect(friend.search('gannet')).resolves.toEqual([id]);
    await turns.turn(nextBeginTurn(first, asking('a skua')));
    await expect(friend.search('skua')).resolves.toEqual([id]);
    await expect(newOwner({ workspaceId: uuidv7(), userId: friend.caller.userId }).mine.search('gannet')).resolves.toEqual([]);
    await mine.removeParticipant(id, friend.caller.userId);
    await expect(friend.search('gannet')).resolves.toEqual([]);
  });

  it('is dropped after thirty days without a search, and built again by the next one', async () => {
    const { mine, id } = await newIndexed();
    await fixture.sql.query(`UPDATE search_owners SET last_searched_at = now() - interval '31 days' WHERE owner_id = $1`, [
      mine.caller.keyId,
    ]);
    await waitFor(async () => (await count('SELECT FROM search_owners WHERE owner_id = $1', [mine.caller.keyId])) === 0);
    expect(await documents(id)).toBe(0);
    expect(await count('SELECT FROM search_conversations WHERE conversation_id = $1', [id])).toBe(0);
    const other = await start();
    const again = new ConversationClient(other, mine.caller);
    await expect(again.search('gannet')).resolves.toEqual([id]);
    await waitFor(async () => (await isCovered(mine.caller.keyId)) === 1);
    expect(await documents(id)).toBe(3);
    await other.stop();
  });
});
