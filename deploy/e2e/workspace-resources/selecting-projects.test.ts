import { beforeEach, describe, expect, it } from '@jest/globals';
import { ask, said } from '../harness/chat.ts';
import { parleyCommand } from '../harness/cli.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { createProject } from '../harness/projects.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';

const UPSTREAM = 'X-Service-Upstream-Project';
const INTERNAL = 'X-Service-Project';

describe('selecting a project', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    let tenant: Tenant;
    beforeEach(async () => {
      tenant = await makeTenant(gateway);
    });
    const turn = (headers: Record<string, string>, key = tenant.apiKey) => ask(gateway(), { key, headers });
    const make = (name: string) => createProject({ gateway: gateway(), key: tenant.apiKey }, { name });
    const parley = (...args: string[]) => parleyCommand(gateway(), ...args, '--workspace', tenant.workspaceId);
    const internal = (slug: string, policy = 'allow_general') =>
      operator.putInternalProject(slug, tenant.workspaceId, { name: slug, policy });
    const keyOf = async (project: string) => {
      const { workspaceId: workspace_id, userId: user_id } = tenant;
      return (await operator.createKey({ workspace_id, user_id, project })).key;
    };
    const placeOf = async (conversation: string, key = tenant.apiKey) =>
      (await call(gateway(), 'GET', `/v1/conversations/${conversation}`, { key })).json;

    it('each header takes its own kind of slug', async () => {
      const { slug } = await make('Doors');
      await internal('accounts');
      expectRefusal(await turn({ [INTERNAL]: slug }), { status: 422, code: 'wrong_project_header', param: INTERNAL });
      expectRefusal(await turn({ [INTERNAL]: 'nowhere' }), { status: 404, code: 'project_not_found', param: INTERNAL });
      expectRefusal(await turn({ [UPSTREAM]: 'accounts' }), { status: 404, code: 'upstream_project_not_found', param: UPSTREAM });
      expect(said(await turn({ [INTERNAL]: 'accounts', [UPSTREAM]: slug })).conversation).toBeTruthy();
    });

    it('a key of one internal project may name no other', async () => {
      await internal('ours');
      await internal('theirs');
      const key = await keyOf('ours');
      expectRefusal(await turn({ [INTERNAL]: 'theirs' }, key), { status: 403, code: 'project_out_of_scope', param: INTERNAL });
      expect(await turn({ [INTERNAL]: 'ours' }, key)).toMatchObject({ status: 200 });
      expect(await turn({ [INTERNAL]: 'theirs' })).toMatchObject({ status: 200 });
    });

    it('where the general space is forbidden a turn needs a project, or a default one', async () => {
      await internal('strict', 'require_project');
      const key = await keyOf('strict');
      const [chosen, standard] = [await make('Chosen'), await make('Standard')];
      const create = (body: Record<string, unknown>) => call(gateway(), 'POST', '/v1/conversations', { key, body });
      const refusal = { status: 422, code: 'upstream_project_not_configured' };
      expectRefusal(await turn({}, key), refusal);
      expectRefusal(await turn({ [INTERNAL]: 'strict' }), refusal);
      expectRefusal(await create({}), refusal);
      const { conversation } = said(await turn({ [UPSTREAM]: chosen.slug }, key));
      expect(await placeOf(conversation, key)).toMatchObject({ upstream_project_id: chosen.id });
      expect(await parley('projects', 'set-default', standard.slug)).toContain(standard.slug);
      const inDefault = said(await turn({}, key)).conversation;
      expect(await placeOf(inDefault, key)).toMatchObject({ destination_type: 'project', upstream_project_id: standard.id });
      expect(await create({})).toMatchObject({ status: 201, json: { upstream_project_id: standard.id } });
      // A key for the general space still uses it.
      expect(await placeOf(said(await turn({})).conversation)).toMatchObject({ destination_type: 'general' });
    });

    it('one that was made elsewhere can be selected once it is registered and bound', async () => {
      const account = onlyAccount(tenant);
      const reference = await new Sandbox(gateway).makeProject(account, 'Made elsewhere');
      const header = { [UPSTREAM]: 'made-elsewhere' };
      expectRefusal(await turn(header), { status: 404, code: 'upstream_project_not_found', param: UPSTREAM });
      expect(await parley('projects', 'register', account.label, reference)).toContain('made-elsewhere');
      const outOfScope = { status: 403, code: 'upstream_project_out_of_scope' };
      expectRefusal(await turn(header), { ...outOfScope, param: UPSTREAM });
      await parley('projects', 'bind', 'made-elsewhere');
      const { conversation } = said(await turn(header));
      expect(await placeOf(conversation)).toMatchObject({ destination_type: 'project' });
      await parley('projects', 'unbind', 'made-elsewhere');
      expectRefusal(await turn(header), { ...outOfScope, param: UPSTREAM });
    });
  });
});
