import { beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { z } from 'zod';
import { call } from '../harness/http.ts';
import { continuing, openaiClient, saying } from '../harness/openai.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { makePeople, type People, type Person, share } from './people.ts';

const messages = z.array(z.looseObject({ role: z.string(), content: z.string(), status: z.string() }));
const detail = z.looseObject({
  owner_user_id: z.string(),
  participants: z.array(z.looseObject({ user_id: z.string(), role: z.string() })),
});

describe('two users share one conversation through the official openai client', () => {
  inBothTopologies((gateway) => {
    let people: People;
    let conversation: string;
    beforeEach(async () => {
      people = await makePeople(gateway);
      const { client } = openaiClient(gateway(), { apiKey: people.owner.key });
      const { response } = await client.chat.completions.create(saying('remember the blue door')).withResponse();
      conversation = response.headers.get('x-service-conversation-id') ?? '';
    });

    const chat = async ({ key }: Person, say: string) => {
      const { client } = openaiClient(gateway(), { apiKey: key });
      const { data, response } = await client.chat.completions.create(saying(say), continuing(conversation)).withResponse();
      expect(response.headers.get('x-service-conversation-id')).toBe(conversation);
      return data.choices[0]?.message.content;
    };
    const send = ({ key }: Person, method: string, path = '', body?: unknown) =>
      call(gateway(), method, `/v1/conversations/${conversation}${path}`, { key, body });
    const read = async (person: Person) => messages.parse((await send(person, 'GET', '/messages')).json);
    const roles = async (person: Person) => {
      const { participants } = detail.parse((await send(person, 'GET')).json);
      return Object.fromEntries(participants.map(({ user_id, role }) => [user_id, role]));
    };

    it('an editor goes on where the owner was, and each sees what the other said', async () => {
      const { owner, ada } = people;
      await refused(chat(ada, 'hello'));
      await share(gateway(), owner.key, conversation, ada.userId, 'editor');
      expect(await chat(ada, 'what did I ask you to remember?')).toContain('blue door');
      expect(await chat(owner, 'say ours')).toBe('ours');
      const said = (await read(ada)).filter(({ role }) => role === 'user').map(({ content }) => content);
      expect(said).toEqual(['remember the blue door', 'what did I ask you to remember?', 'say ours']);
      expect(await read(owner)).toEqual(await read(ada));
    });

    it('a streamed answer goes to the editor as well', async () => {
      const { owner, ada } = people;
      await share(gateway(), owner.key, conversation, ada.userId, 'editor');
      const { client } = openaiClient(gateway(), { apiKey: ada.key });
      let text = '';
      for await (const chunk of await client.chat.completions.create({ ...saying('count to 3'), stream: true }, continuing(conversation)))
        text += chunk.choices[0]?.delta.content ?? '';
      expect(text).toBe('1 2 3');
      expect((await read(owner)).at(-1)).toMatchObject({ role: 'assistant', content: '1 2 3', status: 'completed' });
    });

    it('a viewer may only read, until the role is changed', async () => {
      const { owner, ada } = people;
      await share(gateway(), owner.key, conversation, ada.userId, 'viewer');
      expect(await read(ada)).toHaveLength(2);
      await refused(chat(ada, 'hello'));
      for (const path of ['/sync', '/archive', '/restore']) expect((await send(ada, 'POST', path)).status).toBe(403);
      expect((await send(ada, 'PATCH', '?title=mine')).status).toBe(403);
      expect(await read(owner)).toHaveLength(2);
      expect((await send(owner, 'PATCH', `/participants/${ada.userId}`, { role: 'editor' })).status).toBe(200);
      expect(await chat(ada, 'say now')).toBe('now');
    });

    it('who is removed is a stranger at once', async () => {
      const { owner, ada } = people;
      await share(gateway(), owner.key, conversation, ada.userId, 'editor');
      expect(await chat(ada, 'say once')).toBe('once');
      expect((await send(owner, 'DELETE', `/participants/${ada.userId}`)).status).toBe(200);
      await refused(chat(ada, 'say twice'));
      expect((await send(ada, 'GET')).status).toBe(403);
      expect(await chat(owner, 'say still')).toBe('still');
      expect(await roles(owner)).toEqual({ [owner.userId]: 'owner' });
    });

    it('a transfer changes who decides: the new owner by any key, the former one as an editor', async () => {
      const { owner, ada, grace } = people;
      expect((await send(owner, 'POST', '/transfer', { user_id: ada.userId })).status).toBe(200);
      expect(await roles(ada)).toEqual({ [ada.userId]: 'owner', [owner.userId]: 'editor' });
      expect(await chat(owner, 'say editor')).toBe('editor');
      expect(await chat({ userId: owner.userId, key: people.siblingKey }, 'say sibling')).toBe('sibling');
      const sharing = { user_id: grace.userId, role: 'viewer' };
      expect((await send(owner, 'POST', '/share', sharing)).status).toBe(403);
      expect((await send(ada, 'POST', '/share', sharing)).status).toBe(200);
      expect(await chat(ada, 'say mine')).toBe('mine');
      expect((await send(owner, 'DELETE')).status).toBe(403);
      expect((await send(ada, 'DELETE')).status).toBe(200);
      expect((await send(owner, 'GET')).status).toBe(404);
    });
  });
});

/** Expects that the client throws what it throws for a conversation of another user. */
async function refused(work: Promise<unknown>): Promise<void> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
  expect(error).toMatchObject({ status: 403, code: 'CONVERSATION_ACCESS_DENIED' });
}
