import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { ask, said } from '../harness/chat.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { createProject, type CreatedProject, type NewProject } from '../harness/projects.ts';
import { makeTenant, type Provider, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { addToProject, type Uploader } from '../harness/upload.ts';

const NOTES = {
  name: 'notes.txt',
  bytes: Buffer.from('The gateway has three doors.\nThe code word of the cellar is marzipan.\n'),
  type: 'text/plain',
};
const detail = z.looseObject({
  conversation_count: z.int(),
  sources: z.array(z.looseObject({ id: z.string(), title: z.string(), status: z.string(), size_bytes: z.int() })),
});

describe('chat in projects', () => {
  inBothTopologies((gateway) => {
    describe.each<Provider>(['sandbox', 'openai-compatible'])('on %s', (provider) => {
      let tenant: Tenant;
      let me: Uploader;
      beforeEach(async () => {
        tenant = await makeTenant(gateway, [provider]);
        me = { gateway: gateway(), key: tenant.apiKey };
      });
      const inProject = ({ slug }: CreatedProject, say: string, conversation?: string) =>
        ask(gateway(), {
          key: me.key,
          say,
          ...(conversation !== undefined && { conversation }),
          headers: { 'x-service-upstream-project': slug },
        });
      const make = (fields: Partial<NewProject> = {}) => createProject(me, { name: 'The gateway', ...fields });

      it('knows the files of the project from the first message, and the conversation stays in it', async () => {
        const project = await make();
        await addToProject(me, project.id, NOTES);
        const first = said(await inProject(project, 'what is the code word of the cellar?'));
        expect(first.text).toContain('marzipan');
        const { json } = await call(gateway(), 'GET', `/v1/conversations/${first.conversation}`, { key: me.key });
        expect(json).toMatchObject({ destination_type: 'project', upstream_project_id: project.id });
        expect(
          said(await ask(gateway(), { key: me.key, conversation: first.conversation, say: 'what is the code word of the cellar?' })).text,
        ).toContain('marzipan');
        const shown = detail.parse((await call(gateway(), 'GET', `/v1/projects/${project.id}`, { key: me.key })).json);
        expect(shown).toMatchObject({ conversation_count: 1, sources: [{ title: 'notes.txt', size_bytes: NOTES.bytes.length }] });
        await waitFor(
          async () =>
            detail.parse((await call(gateway(), 'GET', `/v1/projects/${project.id}`, { key: me.key })).json).sources[0]?.status === 'ready',
        );
      });

      it('keeps to the instructions of the project', async () => {
        const project = await make({ instructions: 'reply in capitals' });
        expect(said(await inProject(project, 'say hello there')).text).toBe('HELLO THERE');
      });

      it('a file that was taken out is known no more', async () => {
        const project = await make();
        const { id } = await addToProject(me, project.id, NOTES);
        expect(await call(gateway(), 'DELETE', `/v1/projects/${project.id}/files/${id}`, { key: me.key })).toMatchObject({ status: 204 });
        expect((await call(gateway(), 'GET', `/v1/projects/${project.id}/files`, { key: me.key })).json).toEqual([]);
        expect(said(await inProject(project, 'what is the code word of the cellar?')).text).not.toContain('marzipan');
      });

      it('a project that was deleted is gone, and its conversations can only be read', async () => {
        const project = await make();
        const { conversation } = said(await inProject(project, 'hello'));
        expect(await call(gateway(), 'DELETE', `/v1/projects/${project.id}`, { key: me.key })).toMatchObject({ status: 204, text: '' });
        expectRefusal(await call(gateway(), 'GET', `/v1/projects/${project.id}`, { key: me.key }), {
          status: 404,
          code: 'PROJECT_NOT_FOUND',
        });
        expectRefusal(await inProject(project, 'hello'), { status: 404, code: 'upstream_project_not_found' });
        expectRefusal(await ask(gateway(), { key: me.key, conversation, say: 'hello' }), {
          status: 409,
          code: 'CONVERSATION_PROJECT_UNAVAILABLE',
        });
        expect((await call(gateway(), 'GET', `/v1/conversations/${conversation}/messages`, { key: me.key })).status).toBe(200);
      });

      it('a conversation created in it is continued by its id alone', async () => {
        const project = await make();
        await addToProject(me, project.id, NOTES);
        const created = await call(gateway(), 'POST', '/v1/conversations', { key: me.key, body: { upstream_project_id: project.id } });
        const { id } = z.looseObject({ id: z.uuid() }).parse(created.json);
        expect(said(await ask(gateway(), { key: me.key, conversation: id, say: 'what is the code word of the cellar?' })).text).toContain(
          'marzipan',
        );
      });
    });

    describe('memory', () => {
      const recall = 'what did I ask you to remember?';
      let tenant: Tenant;
      let me: Uploader;
      beforeEach(async () => {
        tenant = await makeTenant(gateway);
        me = { gateway: gateway(), key: tenant.apiKey };
      });
      const say = async (text: string, slug?: string) =>
        said(
          await ask(gateway(), { key: me.key, say: text, ...(slug !== undefined && { headers: { 'x-service-upstream-project': slug } }) }),
        ).text;

      it('of a project that keeps it to itself leaves it neither way', async () => {
        const { slug, ...project } = await createProject(me, { name: 'Alone', memory_policy: 'project_only' });
        expect(project).toMatchObject({ effective_memory_policy: 'project_only', memory_policy_status: 'verified' });
        await say('remember the silver key', slug);
        expect(await say(recall, slug)).toContain('silver key');
        expect(await say(recall)).not.toContain('silver key');
        await say('remember the golden key');
        expect(await say(recall, slug)).not.toContain('golden key');
      });

      it('of an account is shared by its conversations', async () => {
        const { slug } = await createProject(me, { name: 'Together', memory_policy: 'account_connected' });
        await say('remember the copper key', slug);
        expect(await say(recall)).toContain('copper key');
      });
    });
  });
});
