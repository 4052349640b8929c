import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { said } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { readStream } from '../harness/event-stream.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { makePerson, type Person } from '../harness/person.ts';
import { makeTenant, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { formRequest } from '../harness/upload.ts';
import { usageOf } from '../harness/usage.ts';

const CHAT = '/me/v1/chat/completions';
const NOTES = { name: 'notes.txt', bytes: Buffer.from('The code word of the cellar is marzipan.\n'), type: 'text/plain' };
const created = z.looseObject({ id: z.string() });
const listed = z.array(created);
const attachment = z.looseObject({ asset_id: z.string(), file_id: z.string() });
const asset = z.looseObject({ status: z.string(), download_url: z.string().optional() });
const usage = z.looseObject({ scope: z.string(), total_requests: z.int(), successful: z.int(), total_tokens_in: z.int() });
const groups = z.looseObject({ groups: z.array(z.looseObject({ id: z.string(), name: z.string().nullable(), requests: z.int() })) });

describe('the operations of /v1 in a browser', () => {
  inBothTopologies((gateway) => {
    let tenant: Tenant;
    let ada: Person;
    beforeEach(async () => {
      tenant = await makeTenant(gateway);
      ada = await makePerson(gateway(), { roles: { [tenant.workspaceId]: 'member' } });
    });

    const saying = (say: string, more: object = {}) => ({ body: { model: 'auto', messages: [{ role: 'user', content: say }], ...more } });
    const chat = async (person: Person, say: string) => said(await person.call('POST', CHAT, saying(say)));
    const ids = async (person: Person, path: string) => listed.parse((await person.call('GET', path)).json).map(({ id }) => id);

    it('run a project, chats, uploads and downloads, and count them exactly under the hidden key', async () => {
      const project = created.parse((await ada.call('POST', '/me/v1/projects', { body: { name: 'The cellar' } })).json);
      expect((await ada.call('POST', `/me/v1/projects/${project.id}/files`, formRequest(NOTES))).status).toBe(201);
      expect(await ids(ada, '/me/v1/projects')).toContain(project.id);

      const { text, conversation } = await chat(ada, 'say marzipan');
      expect(text).toBe('marzipan');
      const continued = saying('say again', { stream: true });
      const answer = await ada.open('POST', CHAT, { ...continued, headers: { 'x-service-conversation-id': conversation } });
      expect([answer.headers.get('x-service-conversation-id'), (await readStream(answer)).text]).toEqual([conversation, 'again']);
      expect(await ids(ada, '/me/v1/conversations')).toEqual([conversation]);

      const sent = await ada.call('POST', `/me/v1/conversations/${conversation}/attachments`, formRequest(NOTES));
      const { asset_id } = attachment.parse(sent.json);
      const path = await waitFor(async () => asset.parse((await ada.call('GET', `/me/v1/assets/${asset_id}`)).json).download_url);
      // As a browser follows a link: with the cookie alone.
      const file = await call(gateway(), 'GET', path, { headers: { cookie: ada.cookie } });
      expect([file.status, file.text]).toEqual([200, NOTES.bytes.toString()]);

      await waitFor(async () => usage.parse((await ada.call('GET', '/me/v1/usage')).json).total_requests >= 2);
      const report = usage.parse((await ada.call('GET', '/me/v1/usage')).json);
      expect(report).toMatchObject({ scope: 'api_key', total_requests: 2, successful: 2 });
      expect(await usageOf(gateway(), tenant.apiKey)).toMatchObject({ total_requests: 0 });
      const [key] = await query<{ id: string }>(gateway(), 'SELECT id FROM edge.api_keys WHERE user_id = $1 AND is_personal', [ada.userId]);
      const admin = await makePerson(gateway(), { roles: { [tenant.workspaceId]: 'admin' } });
      const grouped = await admin.call('GET', `/me/v1/workspaces/${tenant.workspaceId}/usage`);
      expect(groups.parse(grouped.json).groups).toMatchObject([{ id: key?.id, name: 'Ada (signed in)', requests: 2 }]);
    });

    it('show a person what is his own and what is shared with him, and nothing to other workspaces', async () => {
      const { conversation } = await chat(ada, 'say mine');
      const sent = await ada.call('POST', `/me/v1/conversations/${conversation}/attachments`, formRequest(NOTES));
      const { asset_id } = attachment.parse(sent.json);
      const project = created.parse((await ada.call('POST', '/me/v1/projects', { body: { name: 'Mine' } })).json);

      const colleague = await makePerson(gateway(), { displayName: 'Bo', roles: { [tenant.workspaceId]: 'member' } });
      expect(await ids(colleague, '/me/v1/conversations')).toEqual([]);
      const theirs = (person: Person) => person.call('GET', `/me/v1/conversations/${conversation}`);
      expectRefusal(await theirs(colleague), { status: 403, code: 'CONVERSATION_ACCESS_DENIED' });
      const share = { body: { user_id: colleague.userId, role: 'viewer' } };
      expect((await ada.call('POST', `/me/v1/conversations/${conversation}/share`, share)).status).toBe(200);
      expect((await theirs(colleague)).status).toBe(200);

      const elsewhere = await makeTenant(gateway);
      const stranger = await makePerson(gateway(), { roles: { [elsewhere.workspaceId]: 'owner' } });
      const reached = [
        ...[`/conversations/${conversation}`, `/conversations/${conversation}/messages`, `/conversations/${conversation}/assets`],
        ...[`/assets/${asset_id}`, `/assets/${asset_id}/download`, `/projects/${project.id}`, `/projects/${project.id}/files`],
      ];
      for (const path of reached) {
        const answer = await stranger.call('GET', `/me/v1${path}`);
        expect([403, 404]).toContain(answer.status);
        expect(answer.text).not.toContain('marzipan');
        expectRefusal(await stranger.call('GET', `/me/v1${path}?workspace_id=${tenant.workspaceId}`), {
          ...{ status: 403, code: 'PERMISSION_DENIED', param: 'data.read' },
        });
      }
      expect((await stranger.call('DELETE', `/me/v1/conversations/${conversation}`)).status).toBe(403);
      for (const path of ['/conversations', '/projects']) expect(await ids(stranger, `/me/v1${path}`)).toEqual([]);
      expect((await theirs(ada)).status).toBe(200);
    });

    it('let a viewer read, and change nothing', async () => {
      const viewer = await makePerson(gateway(), { roles: { [tenant.workspaceId]: 'viewer' } });
      expect((await viewer.call('GET', '/me/v1/models')).status).toBe(200);
      const refusal = { status: 403, code: 'PERMISSION_DENIED', param: 'data.write' };
      expectRefusal(await viewer.call('POST', CHAT, saying('hello')), refusal);
      expectRefusal(await viewer.call('POST', '/me/v1/conversations', { body: {} }), refusal);
      expectRefusal(await viewer.call('POST', '/me/v1/projects', { body: { name: 'No' } }), refusal);
    });

    it('need the token and the origin of a page of the gateway', async () => {
      const refusal = (param: string) => ({ status: 403, code: 'CSRF_REJECTED', param });
      expectRefusal(await ada.call('POST', CHAT, { ...saying('hello'), headers: { 'x-csrf-token': '' } }), refusal('X-CSRF-Token'));
      expectRefusal(await ada.call('POST', CHAT, { ...saying('hello'), headers: { origin: 'https://evil.example' } }), refusal('Origin'));
      expect(await ids(ada, '/me/v1/conversations')).toEqual([]);
    });

    it('take what is searched for as it is written', async () => {
      for (const title of ['100% of it', '100 of it', 'snake_case', 'snakeXcase']) {
        expect((await ada.call('POST', '/me/v1/conversations', { body: { title } })).status).toBe(201);
      }
      const found = async (search: string) => {
        const { json } = await ada.call('GET', `/me/v1/conversations?search=${encodeURIComponent(search)}`);
        return z
          .array(z.looseObject({ title: z.string() }))
          .parse(json)
          .map(({ title }) => title);
      };
      await waitFor(async () => (await found('of it')).length === 2);
      expect([await found('100%'), await found('snake_case'), await found('%%%')]).toEqual([['100% of it'], ['snake_case'], []]);
    });
  });
});
