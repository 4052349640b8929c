import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type ListConversationsRequest } from '@parley/protos/conversation/v1/resource';
import fc from 'fast-check';
import { ConversationClient } from './conversation-client.ts';
import { useService } from './fixture.ts';
import { createRecordingBus } from './recording-bus.ts';
import { newCaller } from './turn-client.ts';

/** Text with all characters that are special in a LIKE pattern. */
const texts = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'É', '%', '_', '\\', ' ', "'"), maxLength: 6 });
const USERS = 2;
const KEYS = 2;

const plans = fc.array(
  fc.record({
    /** Index of the creating key. */
    owner: fc.nat(USERS * KEYS),
    title: texts,
    messages: fc.array(texts, { maxLength: 3 }),
    account: fc.constantFrom('account-1', 'account-2'),
    project: fc.constantFrom('', 'project-1', 'project-2'),
    pinned: fc.boolean(),
    archived: fc.boolean(),
    deleted: fc.boolean(),
    sharedWith: fc.option(fc.nat(USERS - 1), { nil: undefined }),
    transferredTo: fc.option(fc.nat(USERS - 1), { nil: undefined }),
    /** Few values, so that some are equal. */
    activeAt: fc.nat(3),
  }),
  { maxLength: 12 },
);

const questions = fc.record({
  by: fc.nat(USERS * KEYS),
  filter: fc.record({
    statusFilter: fc.constantFrom('', '', 'active', 'archived'),
    search: fc.oneof(fc.constant(''), texts),
    pinnedOnly: fc.boolean(),
    destinationFilter: fc.constantFrom('', '', 'general', 'project'),
    accountFilter: fc.constantFrom('', '', 'account-1', 'account-3'),
    projectFilter: fc.constantFrom('', '', 'project-1'),
    limit: fc.integer({ min: 1, max: 5 }),
    offset: fc.nat(6),
  }),
});

type Plan = (typeof plans extends fc.Arbitrary<infer P> ? P : never)[number];

/** A conversation in memory. */
interface Kept extends Plan {
  id: string;
  ownerKeyId: string | undefined;
  ownerUserId: string;
  editors: Set<string>;
}

describe.each(['without an index', 'with an index of the texts'])('listing conversations %s', (name) => {
  const isIndexed = name.startsWith('with an');
  const service = useService({ bus: createRecordingBus(), ...(isIndexed && { searchIndexBytes: 0 }) });

  /** Searches as every key, and waits until those with texts have an index. */
  async function index({ keys }: ReturnType<typeof newPeople>): Promise<void> {
    const owners = keys.flatMap(({ keyId, userId }) => [keyId, ...(userId === '' ? [] : [userId])]);
    const text = `
      SELECT FROM unnest($1::uuid[]) AS g (id) WHERE
        EXISTS (SELECT FROM conversations c JOIN messages m ON m.conversation_id = c.id
          WHERE COALESCE(c.owner_key_id, c.owner_user_id) = g.id AND c.deleted_at IS NULL AND m.content <> '')
        AND NOT EXISTS (SELECT FROM search_owners o WHERE o.owner_id = g.id AND o.covered_until > now() - interval '1 hour')`;
    for (const caller of keys) await new ConversationClient(service.running, caller).search('x');
    await waitFor(async () => (await service.fixture.sql.query(text, [owners])).rowCount === 0);
  }

  /** Keys of users, and one without a user. */
  function newPeople(): { users: string[]; keys: Caller[] } {
    const users = Array.from({ length: USERS }, () => uuidv7());
    const workspaceId = uuidv7();
    const keys = [...users, ...users].map((userId) => newCaller({ workspaceId, userId }));
    return { users, keys: [...keys, newCaller({ workspaceId, userId: '' })] };
  }

  /** Creates the conversation; returns its expected state. */
  async function make(plan: Plan, { users, keys }: ReturnType<typeof newPeople>): Promise<Kept> {
    const caller = keys[plan.owner] as Caller;
    const mine = new ConversationClient(service.running, caller);
    const said = plan.messages.map((text) => ({ role: 'assistant', text }));
    const { id } = await mine.import(said, { title: plan.title, upstreamAccountId: plan.account, upstreamProjectId: plan.project });
    const kept: Kept = { ...plan, id, ownerKeyId: caller.keyId, ownerUserId: caller.userId, editors: new Set() };
    if (plan.pinned) await mine.update(id, { pinned: true });
    if (plan.archived) await mine.archive(id);
    const friend = users[plan.sharedWith ?? -1];
    if (friend !== undefined && friend !== caller.userId) {
      await mine.share(id, friend, 'viewer');
      kept.editors.add(friend);
    }
    if (plan.deleted) await mine.delete(id);
    const heir = users[plan.transferredTo ?? -1];
    if (heir !== undefined && !plan.deleted) {
      await mine.transfer(id, heir);
      kept.editors.delete(heir);
      if (caller.userId !== '' && caller.userId !== heir) kept.editors.add(caller.userId);
      Object.assign(kept, { ownerKeyId: undefined, ownerUserId: heir });
    }
    await service.fixture.sql.query('UPDATE conversations SET last_message_at = to_timestamp($2) WHERE id = $1', [id, plan.activeAt]);
    return kept;
  }

  function expected(world: readonly Kept[], caller: Caller, filter: Partial<ListConversationsRequest>): string[] {
    const wanted = (filter.search ?? '').toLowerCase();
    return world
      .filter((one) => {
        const isOwner = one.ownerKeyId === undefined ? one.ownerUserId === caller.userId : one.ownerKeyId === caller.keyId;
        return !one.deleted && (isOwner || one.editors.has(caller.userId));
      })
      .filter((one) => !filter.statusFilter || filter.statusFilter === (one.archived ? 'archived' : 'active'))
      .filter((one) => !filter.pinnedOnly || one.pinned)
      .filter((one) => !filter.destinationFilter || filter.destinationFilter === (one.project ? 'project' : 'general'))
      .filter((one) => !filter.accountFilter || filter.accountFilter === one.account)
      .filter((one) => !filter.projectFilter || filter.projectFilter === one.project)
      .filter((one) => [one.title, ...one.messages].some((text) => text.toLowerCase().includes(wanted)))
      .sort((a, b) => b.activeAt - a.activeAt || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
  }

  it('lists for every caller what a filter in memory lists', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.array(questions, { minLength: 8, maxLength: 16 }), async (all, asked) => {
        const people = newPeople();
        const world: Kept[] = [];
        for (const plan of all) world.push(await make(plan, people));
        if (isIndexed) await index(people);
        for (const { by, filter } of asked) {
          const caller = people.keys[by] as Caller;
          const answer = await new ConversationClient(service.running, caller).list(filter);
          const ids = expected(world, caller, filter);
          expect({ ids: answer.conversations.map(({ id }) => id), total: answer.total }).toEqual({
            ids: ids.slice(filter.offset, filter.offset + filter.limit),
            total: ids.length,
          });
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('has a limit, and rejects a higher one', async () => {
    const mine = new ConversationClient(service.running, newCaller());
    for (let count = 0; count < 51; count++) await mine.create();
    const { conversations, total } = await mine.list({ limit: 0 });
    expect([conversations.length, total]).toEqual([50, 51]);
    await expect(mine.list({ limit: 201 })).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'limit' });
    await expect(mine.list({ offset: 4_294_967_295 })).resolves.toMatchObject({ conversations: [], total: 51 });
  });
});
