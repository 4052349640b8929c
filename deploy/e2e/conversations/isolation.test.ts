import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ask } from '../harness/chat.ts';
import { describedBy, nameOf, operationsOf } from '../harness/described.ts';
import { expectRefusal, type Refusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { attach } from '../harness/upload.ts';
import { type Ids, type Need, OPERATIONS } from './operations.ts';
import { beginShared, makePeople, type People, perform, share } from './people.ts';

const DENIED: Refusal = { status: 403, code: 'CONVERSATION_ACCESS_DENIED' };
const GONE: Refusal = { status: 404, code: 'CONVERSATION_NOT_FOUND' };
const list = z.array(z.object({ id: z.string() }));
const ON_ONE = OPERATIONS.filter(({ needs }) => needs !== 'key');
const MAY: Readonly<Record<'viewer' | 'editor', readonly Need[]>> = { viewer: ['read'], editor: ['read', 'write'] };

describe('conversations are closed to others', () => {
  inBothTopologies((gateway) => {
    let people: People;
    let strangers: People;
    let ids: Ids;
    beforeAll(async () => {
      [people, strangers] = [await makePeople(gateway), await makePeople(gateway)];
      ids = await beginShared(gateway(), people);
      await attach({ gateway: gateway(), key: people.owner.key }, ids.conversation, { name: 'secret.txt', bytes: Buffer.from('blue\n') });
      // The title is made after the turn, and counts as state.
      await waitFor(async () => JSON.stringify(await stateOf()).includes('"title":"remember'));
    });
    const stateOf = async () => [
      (await call(gateway(), 'GET', `/v1/conversations/${ids.conversation}`, { key: people.owner.key })).json,
      (await call(gateway(), 'GET', `/v1/conversations/${ids.conversation}/messages`, { key: people.owner.key })).json,
      (await call(gateway(), 'GET', `/v1/conversations/${ids.conversation}/assets`, { key: people.owner.key })).json,
    ];

    it('covers every operation that there is', async () => {
      expect(OPERATIONS.map(nameOf).sort()).toEqual(operationsOf(await describedBy(gateway()), /^\/v1\/(?:conversations|messages)/));
    });

    it.each(ON_ONE)(
      '$id: a second key of the same user, one of the same workspace, and one of another are refused alike',
      async (operation) => {
        const before = await stateOf();
        for (const key of [people.siblingKey, people.grace.key, strangers.owner.key, gateway().apiKey]) {
          // As a new participant, each key names a user that it could add.
          const user = key === strangers.owner.key ? strangers.ada.userId : ids.user;
          const answer = await perform(gateway(), operation, { ...ids, user }, key);
          expectRefusal(answer, DENIED);
          for (const secret of ['blue', 'secret', people.owner.userId]) expect(answer.text).not.toContain(secret);
        }
        expect(await stateOf()).toEqual(before);
      },
    );

    it.each(ON_ONE)('$id: who may only read, and who may write', async (operation) => {
      for (const role of ['viewer', 'editor'] as const) {
        const shared = await beginShared(gateway(), people);
        await share(gateway(), people.owner.key, shared.conversation, people.grace.userId, role);
        const answer = await perform(gateway(), operation, shared, people.grace.key);
        if (MAY[role].includes(operation.needs)) expect(answer).toMatchObject({ status: 200 });
        else expectRefusal(answer, DENIED);
      }
    });

    it.each(ON_ONE)('$id: an unknown and a deleted conversation are not found with any key', async (operation) => {
      const deleted = await beginShared(gateway(), people);
      await call(gateway(), 'DELETE', `/v1/conversations/${deleted.conversation}`, { key: people.owner.key });
      const unknown = { ...ids, conversation: randomUUID(), message: randomUUID() };
      for (const key of [people.owner.key, people.ada.key, strangers.owner.key]) {
        const user = key === strangers.owner.key ? strangers.ada.userId : ids.user;
        expectRefusal(await perform(gateway(), operation, { ...deleted, user }, key), GONE);
        const missing = operation.id === 'getMessage' ? { status: 404, code: 'MESSAGE_NOT_FOUND' } : GONE;
        expectRefusal(await perform(gateway(), operation, { ...unknown, user }, key), missing);
      }
    });

    it('in the header of a turn', async () => {
      for (const key of [people.siblingKey, people.grace.key, people.ada.key, strangers.owner.key])
        expectRefusal(await ask(gateway(), { key, conversation: ids.conversation }), DENIED);
      expectRefusal(await ask(gateway(), { key: people.owner.key, conversation: randomUUID() }), GONE);
    });

    it('in the list: each key sees what it may read, whatever it asks for', async () => {
      const seen = async (key: string, query = '') => {
        const { json, headers } = await call(gateway(), 'GET', `/v1/conversations?limit=200&${query}`, { key });
        return { ids: list.parse(json).map(({ id }) => id), total: Number(headers.get('x-total-count')) };
      };
      expect((await seen(people.owner.key)).ids).toContain(ids.conversation);
      expect((await seen(people.ada.key)).ids).toContain(ids.conversation);
      const account = people.tenant.accounts[0]?.connectionId ?? '';
      for (const query of ['', 'search=blue', `account_filter=${account}`]) {
        expect((await seen(people.siblingKey, query)).ids).toEqual([]);
        expect(await seen(strangers.owner.key, query)).toEqual({ ids: [], total: 0 });
      }
    });

    it.each(['shareConversation', 'transferConversation'])('in the body of %s: a user of another workspace is unknown', async (id) => {
      const operation = OPERATIONS.find((candidate) => candidate.id === id) ?? OPERATIONS[0];
      if (!operation) throw new Error('no such operation');
      for (const user of [strangers.ada.userId, randomUUID()]) {
        const answer = await perform(gateway(), operation, { ...ids, user }, people.owner.key);
        expectRefusal(answer, { status: 404, code: 'PARTICIPANT_NOT_FOUND', param: 'user_id' });
      }
    });

    it('in the body of a creation: the account of another workspace', async () => {
      const foreign = strangers.tenant.accounts[0]?.connectionId;
      const answer = await call(gateway(), 'POST', '/v1/conversations', { key: people.owner.key, body: { upstream_account_id: foreign } });
      expectRefusal(answer, { status: 403, code: 'TENANT_ACCESS_DENIED', param: 'upstream_account_id' });
    });
  });
});
