import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, said } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { check, invalid, type Row, senderTo, UNKNOWN_ID } from './rows.ts';

describe('bad routing headers', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    const { tenant, chat } = senderTo(gateway);
    const headers = (fields: Record<string, string>) => () => chat({ headers: fields });
    afterEach(async () => {
      expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
    });

    beforeAll(async () => {
      const { workspaceId } = tenant();
      const connection = onlyAccount(tenant()).connectionId;
      // Projects have no public way in yet; these two differ in their binding only.
      for (const [slug, bound] of [
        ['bound', true],
        ['unbound', false],
      ] as const) {
        const [project] = await query<{ id: string }>(
          gateway(),
          'INSERT INTO routing.upstream_projects (id, workspace_id, connection_id, slug, name) VALUES (gen_random_uuid(), $1, $2, $3, $3) RETURNING id',
          [workspaceId, connection, slug],
        );
        if (bound)
          await query(gateway(), 'INSERT INTO routing.project_bindings (project_id, workspace_id) VALUES ($1, $2)', [
            project?.id,
            workspaceId,
          ]);
      }
    });

    it.each<Row>([
      [25, 'a conversation id that is no UUID', headers({ 'x-service-conversation-id': 'abc' }), invalid('X-Service-Conversation-Id')],
      [
        26,
        'an unknown conversation',
        headers({ 'x-service-conversation-id': UNKNOWN_ID }),
        { status: 404, code: 'CONVERSATION_NOT_FOUND' },
      ],
      [
        28,
        'an unknown upstream project',
        headers({ 'x-service-upstream-project': 'nowhere' }),
        { status: 404, code: 'upstream_project_not_found' },
      ],
      [
        29,
        'the id of a project',
        async () => headers({ 'x-service-upstream-project': await projectId('bound') })(),
        { status: 404, code: 'upstream_project_not_found' },
      ],
      [
        30,
        'a project without a binding',
        headers({ 'x-service-upstream-project': 'unbound' }),
        { status: 403, code: 'upstream_project_out_of_scope' },
      ],
      [
        31,
        'an upstream project in the wrong header',
        headers({ 'x-service-project': 'bound' }),
        { status: 422, code: 'wrong_project_header' },
      ],
      [31, 'an unknown internal project', headers({ 'x-service-project': 'nowhere' }), { status: 404, code: 'project_not_found' }],
      [32, 'an unknown profile', headers({ 'x-service-route-profile': 'nowhere' }), { status: 404, code: 'route_profile_not_found' }],
      [33, 'an unknown account', headers({ 'x-service-upstream-account': 'unknown' }), { status: 404, code: 'CONNECTION_NOT_FOUND' }],
    ])('row %s: %s', check);

    it('row 27: the conversation of another key', async () => {
      const { conversation } = said(await chat({ say: 'remember the blue door' }));
      const sibling = await operator.createKey({ workspace_id: tenant().workspaceId, user_id: tenant().userId });
      const foreign = gateway().apiKey;
      for (const key of [sibling.key, foreign])
        expectRefusal(await chat({ key, conversation }), { status: 403, code: 'CONVERSATION_ACCESS_DENIED' });
    });

    it('row 33: a disabled account', async () => {
      const other = await makeTenant(gateway);
      const { label, connectionId } = onlyAccount(other);
      await operator.updateConnection(connectionId, other.workspaceId, { enabled: false });
      expectRefusal(await ask(gateway(), { key: other.apiKey, account: label }), { status: 409, code: 'ACCOUNT_NOT_ACTIVE' });
    });

    it('row 34: a workspace without accounts', async () => {
      const { apiKey } = await makeTenant(gateway, []);
      expectRefusal(await chat({ key: apiKey }), { status: 403, code: 'ACCOUNT_NOT_CONNECTED' });
    });

    async function projectId(slug: string): Promise<string> {
      const sql = 'SELECT id FROM routing.upstream_projects WHERE workspace_id = $1 AND slug = $2';
      const [project] = await query<{ id: string }>(gateway(), sql, [tenant().workspaceId, slug]);
      return project?.id ?? '';
    }
  });
});
