import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { UNKNOWN_ID } from '../bad-inputs/rows.ts';
import { createRun, giveFile, makeRunner, requestRun, runEnded } from '../harness/actions.ts';
import { describedBy, nameOf, operationsOf } from '../harness/described.ts';
import { expectRefusal, type Refusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { publishSmall, type SmallAction } from '../harness/small-actions.ts';
import { connectAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type Uploader } from '../harness/upload.ts';
import { NOTE, OPERATIONS, perform } from './operations.ts';

/** Its runs wait for an hour before they try again: they have begun, and do not end by themselves. */
const PATIENT: SmallAction = {
  slug: 'wait-for-an-hour',
  step: {
    successCriteria: [{ condition: '$statusCode == 500' }],
    onFailure: [{ name: 'again', type: 'retry', retryAfter: 3_600, retryLimit: 1 }],
  },
};
const OTHER: SmallAction = { slug: 'write-a-note' };
const CONNECTED: SmallAction = { slug: 'write-to-an-api', says: { 'x-parley-connection': true } };
const WITHDRAWN: SmallAction = { slug: 'no-longer-there' };

const ON_RUNS = OPERATIONS.filter(({ on }) => on === 'run');
/** The outcome of runs is still readable when their action is withdrawn. */
const ON_PUBLISHED = OPERATIONS.filter(({ on, method, template }) => on === 'action' && !(method === 'GET' && template.endsWith('/runs')));
const NO_RUN: Refusal = { status: 404, code: 'ACTION_RUN_NOT_FOUND' };
const NO_ACTION: Refusal = { status: 404, code: 'ACTION_NOT_FOUND' };
const list = z.array(z.looseObject({}));
const { slug } = PATIENT;

describe('actions are run by workspaces, each for itself', () => {
  inBothTopologies((gateway) => {
    let tenant: Tenant;
    let me: Uploader;
    let stranger: { tenant: Tenant; me: Uploader };
    let run: string;
    beforeAll(async () => {
      for (const action of [PATIENT, OTHER, CONNECTED, WITHDRAWN]) await publishSmall(gateway(), action);
      ({ tenant, me } = await makeRunner(gateway, []));
      stranger = await makeRunner(gateway, []);
      ({ id: run } = await createRun(me, slug, { text: 'heliotrope' }));
    });
    const withScopes = async (scopes: string[], userId = tenant.userId): Promise<Uploader> => {
      const { key } = await new Operator(gateway).createKey({ workspace_id: tenant.workspaceId, user_id: userId, scopes });
      return { gateway: gateway(), key };
    };
    const listed = async ({ key }: Uploader, path: string) =>
      list.parse((await call(gateway(), 'GET', `/v1/actions${path}`, { key })).json);
    /** What becomes of a run that is given a file. */
    const errorWith = async (file: object) =>
      (await runEnded(me, await createRun(me, OTHER.slug, { text: 'hello', file }))).error?.code ?? 'none';

    it('covers every operation that there is', async () => {
      expect(OPERATIONS.map(nameOf).sort()).toEqual(operationsOf(await describedBy(gateway()), /^\/v1\/actions(?:\/|$)/));
    });

    it.each(OPERATIONS)('$method $template needs the scope $scope', async (operation) => {
      const others = ['chat', 'conversations', 'audio', 'actions:read', 'actions:run'].filter((scope) => scope !== operation.scope);
      const answer = await perform(await withScopes(others), operation, { slug, run });
      expectRefusal(answer, { status: 403, code: 'MISSING_SCOPE', param: operation.scope });
      expect(answer.json).toMatchObject({ error: { message: 'Missing scope' } });
    });

    it.each(OPERATIONS)('$method $template: every key of the workspace with the scope $scope may', async (operation) => {
      const colleague = await new Operator(gateway).createUser(tenant.workspaceId);
      for (const key of [await withScopes([operation.scope]), await withScopes([operation.scope], colleague)]) {
        const { id } = await createRun(me, slug, {});
        expect(await perform(key, operation, { slug, run: id })).toMatchObject({ status: operation.status });
        await call(gateway(), 'POST', `/v1/actions/${slug}/runs/${id}/cancel`, { key: me.key });
      }
    });

    it.each(ON_RUNS)('$method $template: no run of another workspace, of another action or that there is not', async (operation) => {
      const refused = [
        await perform(stranger.me, operation, { slug, run }),
        await perform(me, operation, { slug: OTHER.slug, run }),
        await perform(me, operation, { slug: 'no-such-action', run }),
        await perform(me, operation, { slug, run: UNKNOWN_ID }),
      ];
      for (const answer of refused) {
        expectRefusal(answer, NO_RUN);
        expect(answer.text).not.toContain('eliotrope');
      }
      const { json } = await call(gateway(), 'GET', `/v1/actions/${slug}/runs/${run}`, { key: me.key });
      expect(['accepted', 'running']).toContain((json as { status: string }).status);
    });

    it('lists show nothing of another workspace, nor of another action', async () => {
      const asset = await giveFile(me, slug, NOTE);
      expect(await listed(me, `/${slug}/runs?limit=200`)).toContainEqual(expect.objectContaining({ id: run }));
      expect(await listed(me, `/${slug}/assets`)).toContainEqual(expect.objectContaining(asset));
      for (const path of ['runs', 'assets']) expect(await listed(stranger.me, `/${slug}/${path}`)).toEqual([]);
      for (const path of ['runs', 'assets']) expect(await listed(me, `/${CONNECTED.slug}/${path}`)).toEqual([]);
    });

    it('a file is one run’s of its workspace and its action', async () => {
      const mine = await giveFile(me, OTHER.slug, NOTE);
      expect(await errorWith(mine)).toBe('none');
      for (const file of [mine, await giveFile(me, slug, NOTE), await giveFile(stranger.me, OTHER.slug, NOTE), { asset_id: 'none' }])
        expect(await errorWith(file)).toBe('ASSET_INPUT_INVALID');
    });

    it('the connection of another workspace is none', async () => {
      const begin = (id: string) => requestRun(me, CONNECTED.slug, { input: { text: 'hello' }, connection_id: id });
      const { connectionId: theirs } = await connectAccount(gateway, stranger.tenant.workspaceId, 'http-api');
      const { connectionId: mine } = await connectAccount(gateway, tenant.workspaceId, 'http-api');
      const refusal = { status: 422, code: 'ACTION_CONNECTION_REQUIRED', param: 'connection_id' };
      for (const id of [theirs, UNKNOWN_ID]) expectRefusal(await begin(id), refusal);
      expect(await begin(mine)).toMatchObject({ status: 202 });
    });

    it('the same idempotency_key of two workspaces is of two runs', async () => {
      const begin = (by: Uploader) => createRun(by, OTHER.slug, {}, { idempotency_key: 'the-same' });
      const [one, other, again] = [await begin(me), await begin(stranger.me), await begin(me)];
      expect(one.id).not.toBe(other.id);
      expect(again.id).toBe(one.id);
    });

    it('an action that is withdrawn takes nothing more; what its runs came to can be seen', async () => {
      const { id } = await runEnded(me, await createRun(me, WITHDRAWN.slug, { text: 'hello' }));
      expect((await new Operator(gateway).call('PATCH', `/actions/${WITHDRAWN.slug}`, { enabled: false })).status).toBe(200);
      for (const operation of ON_PUBLISHED)
        for (const gone of [WITHDRAWN.slug, 'no-such-action'])
          expectRefusal(await perform(me, operation, { slug: gone, run: id }), NO_ACTION);
      expect(await listed(me, '/no-such-action/runs')).toEqual([]);
      expect(await listed(me, `/${WITHDRAWN.slug}/runs`)).toMatchObject([{ id, status: 'succeeded' }]);
      expect((await listed(me, '')).map((action) => action['slug'])).not.toContain(WITHDRAWN.slug);
    });
  });
});
