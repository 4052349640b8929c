import { afterEach, describe, expect, it } from '@jest/globals';
import { CHAT } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { expectRefusal, type Judged } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { randomKey } from '../harness/parley.ts';
import { makeTenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { BAD_HTTP, check, type Row, senderTo, unauthorised } from './rows.ts';

const INVALID_KEY = unauthorised('INVALID_API_KEY');

describe('bad keys', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    const { tenant, chat, raw } = senderTo(gateway);
    afterEach(async () => {
      expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
    });

    describe.each([
      ['POST', CHAT],
      ['GET', '/v1/usage'],
    ])('authentication of %s %s', (method, path) => {
      const turn = method === 'POST' ? { body: { model: 'auto', messages: [{ role: 'user', content: 'hello' }] } } : {};
      const send = (more: Record<string, string>, at = path) => call(gateway(), method, at, { ...turn, headers: more });
      const bearing = (key: string) => send({ authorization: `Bearer ${key}` });

      it.each<Row>([
        [1, 'no header', () => send({}), unauthorised('MISSING_API_KEY')],
        [2, 'another scheme', () => send({ authorization: 'Basic x' }), INVALID_KEY],
        [3, 'SQL for a key', () => bearing("' OR '1'='1"), INVALID_KEY],
        [4, 'a key short of one character', () => bearing(tenant().apiKey.slice(0, -1)), INVALID_KEY],
        [5, 'a key of 10 KB', () => bearing(`gmk_live_${'x'.repeat(10_000)}`), INVALID_KEY],
        [6, 'x-api-key only', () => send({ 'x-api-key': tenant().apiKey }), unauthorised('MISSING_API_KEY')],
        [7, 'a key in the query', () => send({}, `${path}?api_key=${tenant().apiKey}`), unauthorised('MISSING_API_KEY')],
        [8, 'an expired key', () => expired(bearing), unauthorised('EXPIRED_API_KEY')],
        [9, 'a revoked key', () => revoked(bearing), unauthorised('REVOKED_API_KEY')],
        [10, 'a key of a disabled user', () => ofDisabledUser(bearing), unauthorised('USER_NOT_ACTIVE')],
        [11, 'a key of a disabled workspace', () => ofDisabledWorkspace(bearing), { status: 403, code: 'workspace_disabled' }],
        [13, 'two Authorization headers', () => raw(twice(method, path, tenant().apiKey)), { ...BAD_HTTP, param: 'Authorization' }],
      ])('row %s: %s', check);
    });

    it('row 12: a key without the scope', async () => {
      const { key } = await operator.createKey({ scopes: ['audio', 'actions:read'] });
      expectRefusal(await chat({ key }), { status: 403, code: 'MISSING_SCOPE', param: 'chat' });
    });

    async function expired(send: (key: string) => Promise<Judged>): Promise<Judged> {
      const { id, key } = await operator.createKey({
        workspace_id: tenant().workspaceId,
        user_id: tenant().userId,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      });
      await query(gateway(), `UPDATE edge.api_keys SET expires_at = now() - interval '1 minute' WHERE id = $1`, [id]);
      return send(key);
    }

    async function revoked(send: (key: string) => Promise<Judged>): Promise<Judged> {
      const { id, key } = await operator.createKey({ workspace_id: tenant().workspaceId, user_id: tenant().userId });
      await operator.revokeKey(id);
      return send(key);
    }

    async function ofDisabledUser(send: (key: string) => Promise<Judged>): Promise<Judged> {
      const userId = await operator.createUser(tenant().workspaceId);
      const { key } = await operator.createKey({ workspace_id: tenant().workspaceId, user_id: userId });
      await operator.setUserStatus(userId, 'disabled');
      return send(key);
    }

    async function ofDisabledWorkspace(send: (key: string) => Promise<Judged>): Promise<Judged> {
      const other = await makeTenant(gateway, []);
      await operator.setWorkspaceStatus(other.workspaceId, 'disabled');
      return send(other.apiKey);
    }
  });
});

/** A request with two Authorization headers, each of which would do by itself. */
function twice(method: string, path: string, key: string): string[] {
  const lines = ['Host: x', `Authorization: Bearer ${key}`, `Authorization: Bearer ${randomKey()}`, 'Content-Length: 0'];
  return [`${method} ${path} HTTP/1.1`, ...lines];
}
