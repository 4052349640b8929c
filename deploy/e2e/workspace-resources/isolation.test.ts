import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { listAssets, settled } from '../harness/assets.ts';
import { ask } from '../harness/chat.ts';
import { describedBy, nameOf, operationsOf } from '../harness/described.ts';
import { expectRefusal, type Refusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { makeResources, makeAttachment, makeProject } from './make-resources.ts';
import { type Ids, type Operation, operation, OPERATIONS, perform } from './operations.ts';

const ON_ONE = OPERATIONS.filter(({ on }) => on !== 'workspace');
const GONE: Readonly<Record<string, Refusal>> = {
  project: { status: 404, code: 'PROJECT_NOT_FOUND' },
  asset: { status: 404, code: 'ASSET_NOT_FOUND' },
};
/** A workspace does not hear of another’s projects at all. */
const DENIED: Readonly<Record<string, Refusal>> = { ...GONE, asset: { status: 403, code: 'ASSET_ACCESS_DENIED' } };
const list = z.array(z.looseObject({ id: z.string() }));

describe('projects and assets belong to their workspace', () => {
  inBothTopologies((gateway) => {
    let owner: Tenant;
    let stranger: Tenant;
    let colleagues: string[];
    beforeAll(async () => {
      [owner, stranger] = [await makeTenant(gateway), await makeTenant(gateway)];
      const { workspaceId, userId } = owner;
      const operator = new Operator(gateway);
      const sibling = await operator.createKey({ workspace_id: workspaceId, user_id: userId });
      const other = await operator.createKey({ workspace_id: workspaceId, user_id: await operator.createUser(workspaceId) });
      colleagues = [sibling.key, other.key];
    });
    const stateOf = async ({ on }: Operation, ids: Ids) => {
      const readers = on === 'project' ? ['getProject', 'listProjectFiles'] : ['getAsset', 'listProjects'];
      const answers = await Promise.all(readers.map((id) => perform(gateway(), operation(id), ids, owner.apiKey)));
      // A file of a project is processed meanwhile.
      return answers.map(({ status, text }) => [status, text.replaceAll('"processing"', '"ready"')]);
    };
    const gone = ({ on }: Operation) => GONE[on] as Refusal;

    it('covers every operation that there is', async () => {
      expect(OPERATIONS.map(nameOf).sort()).toEqual(operationsOf(await describedBy(gateway()), /^\/v1\/(?:projects|assets)/));
    });

    it.each(OPERATIONS)('$id: every key of the workspace may', async (tried) => {
      for (const key of colleagues) {
        const ids = await makeResources(tried, gateway(), owner);
        expect(await perform(gateway(), tried, ids, key)).toMatchObject({ status: tried.status });
        // What is ingested anew would meet what the next one is to meet.
        if (tried.id === 'retryAsset') await settled({ gateway: gateway(), key }, ids.asset);
      }
    });

    it.each(ON_ONE)('$id: no key of another workspace may, and it changes nothing', async (tried) => {
      const ids = await makeResources(tried, gateway(), owner);
      const before = await stateOf(tried, ids);
      for (const key of [stranger.apiKey, gateway().apiKey]) {
        const answer = await perform(gateway(), tried, ids, key);
        expectRefusal(answer, DENIED[tried.on] as Refusal);
        for (const secret of ['eliotrope', owner.userId, owner.workspaceId]) expect(answer.text).not.toContain(secret);
      }
      expect(await stateOf(tried, ids)).toEqual(before);
    });

    it.each(ON_ONE)('$id: what is unknown is not found with any key', async (tried) => {
      const ids = { project: randomUUID(), source: randomUUID(), asset: randomUUID(), account: randomUUID() };
      for (const key of [owner.apiKey, stranger.apiKey]) expectRefusal(await perform(gateway(), tried, ids, key), gone(tried));
    });

    it('a deleted project is not found with any key, and its file neither', async () => {
      const ids = { ...(await makeResources(operation('getProject'), gateway(), owner)) };
      expect(await perform(gateway(), operation('deleteProject'), ids, owner.apiKey)).toMatchObject({ status: 204, text: '' });
      for (const tried of ON_ONE.filter(({ on }) => on === 'project'))
        for (const key of [owner.apiKey, stranger.apiKey]) expectRefusal(await perform(gateway(), tried, ids, key), gone(tried));
    });

    it('the file of a deleted conversation is not found with any key', async () => {
      const { conversation, asset } = await makeAttachment(gateway(), owner);
      expect(await listAssets({ gateway: gateway(), key: owner.apiKey }, conversation)).toMatchObject([{ id: asset }]);
      await call(gateway(), 'DELETE', `/v1/conversations/${conversation}`, { key: owner.apiKey });
      const ids = { project: '', source: '', asset, account: '' };
      await waitFor(async () => (await perform(gateway(), operation('getAsset'), ids, owner.apiKey)).status === 404);
      for (const tried of ON_ONE.filter(({ on }) => on === 'asset'))
        for (const key of [owner.apiKey, stranger.apiKey]) expectRefusal(await perform(gateway(), tried, ids, key), gone(tried));
    });

    it('in the path: the file of another project is no file of this one', async () => {
      const [one, other] = [await makeProject(gateway(), owner), await makeProject(gateway(), owner)];
      const theirs = await makeProject(gateway(), stranger);
      for (const { source } of [other, theirs]) {
        const answer = await perform(gateway(), operation('deleteProjectFile'), { ...one, source, asset: '', account: '' }, owner.apiKey);
        expectRefusal(answer, { status: 404, code: 'SOURCE_NOT_FOUND', param: 'source_id' });
      }
      for (const [{ project, source }, key] of [
        [other, owner.apiKey],
        [theirs, stranger.apiKey],
      ] as const)
        expect((await call(gateway(), 'GET', `/v1/projects/${project}/files`, { key })).json).toMatchObject([{ id: source }]);
    });

    it('in the query: lists show nothing of another workspace', async () => {
      const { project, slug } = await makeProject(gateway(), owner);
      await ask(gateway(), { key: owner.apiKey, headers: { 'x-service-upstream-project': slug } });
      const seen = async (key: string, path: string) => {
        const { json, headers } = await call(gateway(), 'GET', path, { key });
        return { ids: list.parse(json).map(({ id }) => id), total: Number(headers.get('x-total-count')) };
      };
      expect((await seen(owner.apiKey, '/v1/projects?search=heliotrope&limit=200')).ids).toContain(project);
      expect((await seen(owner.apiKey, `/v1/conversations?project_filter=${project}`)).total).toBe(1);
      for (const path of ['/v1/projects?limit=200', '/v1/projects?search=heliotrope', `/v1/conversations?project_filter=${project}`]) {
        const { ids, total } = await seen((await makeTenant(gateway)).apiKey, path);
        expect({ ids, total }).toEqual({ ids: [], total: 0 });
      }
    });

    it('in the body: accounts, projects and files of another workspace', async () => {
      const { project } = await makeProject(gateway(), stranger);
      const { file: theirs } = await makeAttachment(gateway(), stranger);
      const { conversation, asset } = await makeAttachment(gateway(), owner);
      const { file: elsewhere } = await makeAttachment(gateway(), owner);
      const key = owner.apiKey;
      const account = onlyAccount(stranger).connectionId;
      expectRefusal(await call(gateway(), 'POST', '/v1/projects', { key, body: { name: 'x', upstream_account_id: account } }), {
        ...{ status: 403, code: 'TENANT_ACCESS_DENIED', param: 'upstream_account_id' },
      });
      expectRefusal(await call(gateway(), 'POST', '/v1/conversations', { key, body: { upstream_project_id: project } }), {
        ...{ status: 404, code: 'PROJECT_NOT_FOUND', param: 'upstream_project_id' },
      });
      const attaching = (id: string) => ask(gateway(), { key, conversation, body: { attachment_file_ids: [id] } });
      for (const id of [theirs, elsewhere])
        expectRefusal(await attaching(id), { status: 403, code: 'ASSET_ACCESS_DENIED', param: 'attachment_file_ids' });
      // What is no id of an attached file names none.
      expectRefusal(await attaching(asset), { status: 404, code: 'ASSET_NOT_FOUND', param: 'attachment_file_ids' });
    });

    it('in the headers: projects of another workspace are unknown here', async () => {
      const { slug } = await makeProject(gateway(), stranger, 'Only theirs');
      await new Operator(gateway).putInternalProject('inside', stranger.workspaceId, { name: 'Inside', policy: 'allow_general' });
      const turn = (headers: Record<string, string>) => ask(gateway(), { key: owner.apiKey, headers });
      const [upstream, internal] = ['X-Service-Upstream-Project', 'X-Service-Project'];
      expectRefusal(await turn({ [upstream]: slug }), { status: 404, code: 'upstream_project_not_found', param: upstream });
      for (const unknown of ['inside', slug])
        expectRefusal(await turn({ [internal]: unknown }), { status: 404, code: 'project_not_found', param: internal });
    });
  });
});
