import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask, CHAT, said, type Turn } from './harness/chat.ts';
import { query } from './harness/database.ts';
import { expectRefusal, type Judged, type Refusal } from './harness/expectations.ts';
import { call, open, type Request } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { randomKey } from './harness/parley.ts';
import { sendRaw, wire } from './harness/raw-socket.ts';
import { makeTenant, onlyAccount, type Tenant } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

/** A row of the table of bad inputs: its number, what is sent, and what must come back. */
type Row = [number: number | string, what: string, send: () => Promise<Judged>, refusal: Refusal];

const UNKNOWN_ID = '01900000-0000-7000-8000-00000000dead';
const invalid = (param: string): Refusal => ({ status: 422, code: 'VALIDATION_ERROR', param });
const unauthorised = (code: string): Refusal => ({ status: 401, code });
const INVALID_KEY = unauthorised('INVALID_API_KEY');
const BAD_HTTP: Refusal = { status: 400, code: 'INVALID_REQUEST' };

describe('bad inputs', () => {
  inBothTopologies(
    (house) => {
      const operator = new Operator(house);
      let tenant: Tenant;
      beforeAll(async () => {
        tenant = await makeTenant(house);
      });
      afterEach(async () => {
        expect((await call(house(), 'GET', '/readyz')).status).toBe(200);
      });

      const check = async (_row: number | string, _what: string, send: () => Promise<Judged>, refusal: Refusal) => expectRefusal(await send(), refusal);
      const chat = (turn: Turn) => ask(house(), { key: tenant.apiKey, ...turn });
      const body = (fields: Record<string, unknown>) => () => chat({ body: fields });
      const headers = (fields: Record<string, string>) => () => chat({ headers: fields });
      const raw = (lines: readonly string[], rest = '') => sendRaw(house(), wire(lines, rest));
      const posted = (request: Request) => call(house(), 'POST', CHAT, { key: tenant.apiKey, ...request });

      describe.each([
        ['POST', CHAT],
        ['GET', '/v1/usage'],
      ])('authentication of %s %s', (method, path) => {
        const turn = method === 'POST' ? { body: { model: 'auto', messages: [{ role: 'user', content: 'hello' }] } } : {};
        const send = (more: Record<string, string>, at = path) => call(house(), method, at, { ...turn, headers: more });
        const bearing = (key: string) => send({ authorization: `Bearer ${key}` });

        it.each<Row>([
          [1, 'no header', () => send({}), unauthorised('MISSING_API_KEY')],
          [2, 'another scheme', () => send({ authorization: 'Basic x' }), INVALID_KEY],
          [3, 'SQL for a key', () => bearing("' OR '1'='1"), INVALID_KEY],
          [4, 'a key short of one character', () => bearing(tenant.apiKey.slice(0, -1)), INVALID_KEY],
          [5, 'a key of 10 KB', () => bearing(`gmk_live_${'x'.repeat(10_000)}`), INVALID_KEY],
          [6, 'x-api-key only', () => send({ 'x-api-key': tenant.apiKey }), unauthorised('MISSING_API_KEY')],
          [7, 'a key in the query', () => send({}, `${path}?api_key=${tenant.apiKey}`), unauthorised('MISSING_API_KEY')],
          [8, 'an expired key', () => expired(bearing), unauthorised('EXPIRED_API_KEY')],
          [9, 'a revoked key', () => revoked(bearing), unauthorised('REVOKED_API_KEY')],
          [10, 'a key of a disabled user', () => ofDisabledUser(bearing), unauthorised('USER_NOT_ACTIVE')],
          [11, 'a key of a disabled workspace', () => ofDisabledWorkspace(bearing), { status: 403, code: 'workspace_disabled' }],
          [13, 'two Authorization headers', () => raw(twice(method, path, tenant.apiKey)), { ...BAD_HTTP, param: 'Authorization' }],
        ])('row %s: %s', check);
      });

      it('row 12: a key without the scope', async () => {
        const { key } = await operator.createKey({ scopes: ['audio', 'actions:read'] });
        expectRefusal(await chat({ key }), { status: 403, code: 'MISSING_SCOPE', param: 'chat' });
      });

      describe('chat bodies', () => {
        const message = (fields: Record<string, unknown>) => body({ messages: [{ role: 'user', content: 'hello', ...fields }] });
        const image = (url: string) => message({ content: [{ type: 'image_url', image_url: { url } }] });

        it.each<Row>([
          [14, 'an empty object', () => posted({ body: {} }), invalid('model')],
          [15, 'no messages', body({ messages: [] }), invalid('messages')],
          [16, 'an unknown role', message({ role: 'wizard' }), invalid('messages.0.role')],
          [17, 'content that is a number', message({ content: 7 }), invalid('messages.0.content')],
          [18, 'stream as text', body({ stream: 'true' }), invalid('stream')],
          [19, 'tools', body({ tools: [{ type: 'function', function: { name: 'f' } }] }), unsupported('tools')],
          [19, 'tool_choice', body({ tool_choice: 'auto' }), unsupported('tool_choice')],
          [20, 'n of 2', body({ n: 2 }), unsupported('n')],
          [21, 'logprobs', body({ logprobs: true }), unsupported('logprobs')],
          [23, 'an unknown model', body({ model: 'no-such-model' }), { ...BAD_HTTP, param: 'model' }],
          [35, 'an unknown file id', body({ attachment_file_ids: ['file_unknown'] }), { status: 404, code: 'ASSET_NOT_FOUND', param: 'attachment_file_ids' }],
          [36, 'an image of the metadata service', image('http://169.254.169.254/latest/meta-data'), imageRefused()],
          [36, 'the same over https', image('https://169.254.169.254/latest/meta-data'), imageRefused()],
          [36, 'an image of the file system', image('file:///etc/passwd'), imageRefused()],
          [37, 'U+0000', message({ content: 'a\u0000b' }), invalid('messages.0.content')],
          [38, 'a lone surrogate', () => posted({ body: '{"model":"auto","messages":[{"role":"user","content":"\\ud800"}]}' }), invalid('messages.0.content')],
          [39, 'nesting 200,000 deep', () => posted({ body: '['.repeat(200_000) + ']'.repeat(200_000) }), invalid('body')],
          [40, 'malformed JSON', () => posted({ body: '{"model": "auto", "messages": [' }), invalid('body')],
          [40, 'no body', () => posted({ body: '' }), invalid('body')],
          [41, '50 MB', () => posted({ body: Buffer.alloc(50 * 1_024 * 1_024, 32) }), tooLarge()],
          [41, '50 MB of unannounced length', () => posted50MBInChunks(), tooLarge()],
          [42, 'text/plain', () => posted({ headers: { 'content-type': 'text/plain' }, body: '{}' }), { status: 415, code: 'unsupported_media_type', param: 'Content-Type' }],
          [43, 'a gzip bomb', () => posted({ headers: { 'content-encoding': 'gzip' }, body: bomb() }), tooLarge()],
        ])('row %s: %s', check);

        it.each<[number, string, Record<string, unknown>]>([
          [22, 'tools null, n 1 and logprobs false count as absent', { tools: null, tool_choice: null, n: 1, logprobs: false }],
          [24, 'conversation_id in the body is ignored', { conversation_id: UNKNOWN_ID, project_id: 'x' }],
          [89, '__proto__ as a key has no effect', JSON.parse('{"__proto__":{"stream":true,"n":2},"constructor":{"prototype":{"n":2}}}') as Record<string, unknown>],
        ])('row %s: %s', async (_row, _what, fields) => {
          const { text, conversation } = said(await chat({ say: 'say fine', body: fields }));
          expect(text).toBe('fine');
          expect(conversation).not.toBe(UNKNOWN_ID);
        });

        it('row 36: connects to nobody', async () => {
          const server = createServer();
          let connections = 0;
          server.on('connection', (socket) => (connections++, socket.destroy()));
          await once(server.listen(0, '127.0.0.1'), 'listening');
          const { port } = server.address() as { port: number };
          for (const scheme of ['http', 'https']) expectRefusal(await image(`${scheme}://127.0.0.1:${port}/cat.png`)(), imageRefused());
          expect(connections).toBe(0);
          server.close();
        });

        async function posted50MBInChunks(): Promise<Judged> {
          const piece = Buffer.alloc(1_024 * 1_024, 32);
          let left = 50;
          const source = new ReadableStream({ pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()) });
          const init = { method: 'POST', headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' }, body: source, duplex: 'half' };
          const response = await fetch(house().url + CHAT, init as RequestInit);
          return { status: response.status, headers: response.headers, json: await response.json() };
        }
      });

      describe('routing headers', () => {
        beforeAll(async () => {
          const { workspaceId } = tenant;
          const connection = onlyAccount(tenant).connectionId;
          // Projects have no public way in yet; these two differ in their binding only.
          for (const [slug, bound] of [['bound', true], ['unbound', false]] as const) {
            const [project] = await query<{ id: string }>(
              house(),
              'INSERT INTO routing.upstream_projects (id, workspace_id, connection_id, slug, name) VALUES (gen_random_uuid(), $1, $2, $3, $3) RETURNING id',
              [workspaceId, connection, slug],
            );
            if (bound) await query(house(), 'INSERT INTO routing.project_bindings (project_id, workspace_id) VALUES ($1, $2)', [project?.id, workspaceId]);
          }
        });

        it.each<Row>([
          [25, 'a conversation id that is no UUID', headers({ 'x-service-conversation-id': 'abc' }), invalid('X-Service-Conversation-Id')],
          [26, 'an unknown conversation', headers({ 'x-service-conversation-id': UNKNOWN_ID }), { status: 404, code: 'CONVERSATION_NOT_FOUND' }],
          [28, 'an unknown upstream project', headers({ 'x-service-upstream-project': 'nowhere' }), { status: 404, code: 'upstream_project_not_found' }],
          [29, 'the id of a project', async () => headers({ 'x-service-upstream-project': await projectId('bound') })(), { status: 404, code: 'upstream_project_not_found' }],
          [30, 'a project without a binding', headers({ 'x-service-upstream-project': 'unbound' }), { status: 403, code: 'upstream_project_out_of_scope' }],
          [31, 'an upstream project in the wrong header', headers({ 'x-service-project': 'bound' }), { status: 422, code: 'wrong_project_header' }],
          [31, 'an unknown internal project', headers({ 'x-service-project': 'nowhere' }), { status: 404, code: 'project_not_found' }],
          [32, 'an unknown profile', headers({ 'x-service-route-profile': 'nowhere' }), { status: 404, code: 'route_profile_not_found' }],
          [33, 'an unknown account', headers({ 'x-service-upstream-account': 'nobody' }), { status: 404, code: 'CONNECTION_NOT_FOUND' }],
        ])('row %s: %s', check);

        it('row 27: the conversation of another key', async () => {
          const { conversation } = said(await chat({ say: 'remember the blue door' }));
          const sibling = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId });
          const foreign = house().apiKey;
          for (const key of [sibling.key, foreign]) expectRefusal(await chat({ key, conversation }), { status: 403, code: 'CONVERSATION_ACCESS_DENIED' });
        });

        it('row 33: a disabled account', async () => {
          const other = await makeTenant(house);
          const { label, connectionId } = onlyAccount(other);
          await operator.updateConnection(connectionId, other.workspaceId, { enabled: false });
          expectRefusal(await ask(house(), { key: other.apiKey, account: label }), { status: 409, code: 'ACCOUNT_NOT_ACTIVE' });
        });

        it('row 34: a workspace without accounts', async () => {
          const { apiKey } = await makeTenant(house, []);
          expectRefusal(await chat({ key: apiKey }), { status: 403, code: 'ACCOUNT_NOT_CONNECTED' });
        });

        async function projectId(slug: string): Promise<string> {
          const sql = 'SELECT id FROM routing.upstream_projects WHERE workspace_id = $1 AND slug = $2';
          const [project] = await query<{ id: string }>(house(), sql, [tenant.workspaceId, slug]);
          return project?.id ?? '';
        }
      });

      describe('the protocol', () => {
        const posting = (...lines: string[]) => ['POST /v1/chat/completions HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...lines];
        const getting = (...lines: string[]) => ['GET /v1/models HTTP/1.1', 'Host: x', ...lines];
        const keys = (id: string) => call(house(), 'DELETE', `/admin/v1/keys/${id}`, { key: house().operatorKey });

        it.each<Row>([
          [79, 'Content-Length and Transfer-Encoding', () => raw(posting('Content-Length: 4', 'Transfer-Encoding: chunked'), '0\r\n\r\n'), BAD_HTTP],
          [79, 'two Content-Lengths', () => raw(posting('Content-Length: 2', 'Content-Length: 3'), '{}'), BAD_HTTP],
          [79, 'a folded header', () => raw(getting('X-Folded: one', ' two')), BAD_HTTP],
          [80, 'an unknown Transfer-Encoding', () => raw(posting('Transfer-Encoding: xchunked'), '2\r\n{}\r\n0\r\n\r\n'), BAD_HTTP],
          [81, 'two Host headers', () => raw(getting('Host: y')), { ...BAD_HTTP, param: 'Host' }],
          [81, 'no Host header', () => raw(['GET /v1/models HTTP/1.1']), { ...BAD_HTTP, param: 'Host' }],
          [82, 'a header of 17 KB', () => raw(getting(`X-Large: ${'x'.repeat(17 * 1_024)}`)), { status: 431, code: 'headers_too_large' }],
          [83, 'a path that does not decode', () => raw(['GET /v1/%E0%A4%A HTTP/1.1', 'Host: x']), BAD_HTTP],
          [84, 'U+0000 in an id', () => keys('a%00b'), invalid('id')],
          [84, 'a way out of the folder in an id', () => keys('..%2f..%2fadmin'), invalid('id')],
          [85, 'TRACE', () => raw(['TRACE /v1/models HTTP/1.1', 'Host: x']), { status: 405, code: 'method_not_allowed' }],
          [85, 'CONNECT', () => raw(['CONNECT example.com:443 HTTP/1.1', 'Host: x']), { status: 405, code: 'method_not_allowed' }],
          [86, 'headers that never end', () => sendRaw(house(), 'GET /v1/models HTTP/1.1\r\nHost: x\r\n'), { status: 408, code: 'request_timeout' }],
          [86, 'a body that never ends', () => raw(posting(`Authorization: Bearer ${tenant.apiKey}`, 'Content-Length: 100'), '{"model"'), { status: 408, code: 'request_timeout' }],
          ['', 'no HTTP at all', () => sendRaw(house(), 'hello there\r\n\r\n'), BAD_HTTP],
          ['', 'an unknown path', () => call(house(), 'GET', '/v1/nothing', { key: tenant.apiKey }), { status: 404, code: 'not_found' }],
          ['', 'a wrong method', () => call(house(), 'GET', CHAT, { key: tenant.apiKey }), { status: 405, code: 'method_not_allowed' }],
        ])('row %s: %s', check);

        it.each([
          ['8 KB', `X-Request-Id: ${'x'.repeat(8 * 1_024)}`],
          ['non-ASCII', 'X-Request-Id: caf\u00e9'],
          ['blanks in it', 'X-Request-Id: one two'],
        ])('row 87: a request id of %s is replaced', async (_what, line) => {
          const answer = await raw(getting(line));
          expectRefusal(answer, unauthorised('MISSING_API_KEY'));
          expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
        });

        it('row 87: a good request id is echoed, in the envelope too, whoever refuses', async () => {
          for (const lines of [getting('X-Request-Id: my~id.1'), getting('X-Request-Id: my~id.1', 'Host: y'), posting('X-Request-Id: my~id.1', 'Content-Length: x')]) {
            expect((await raw(lines)).headers.get('x-request-id')).toBe('my~id.1');
          }
        });

        it('row 88: forged hosts have no effect', async () => {
          const forged = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https', 'Forwarded: host=evil.example'];
          const { status, text, json } = await sendRaw(
            house(),
            wire(['GET /v1/capabilities HTTP/1.1', 'Host: evil.example', `Authorization: Bearer ${tenant.apiKey}`, ...forged]),
          );
          expect(status).toBe(200);
          expect(text).not.toContain('evil.example');
          expect(json).toMatchObject({ base_url: house().url });
        });

        it('row 89: __proto__ as a header has no effect', async () => {
          const { status, json } = await raw(getting('__proto__: x', 'constructor: x', `Authorization: Bearer ${tenant.apiKey}`));
          expect({ status, json }).toMatchObject({ status: 200, json: { object: 'list' } });
        });

        it('answers nothing but JSON to a browser that asks for HTML', async () => {
          const response = await open(house(), 'GET', '/', { headers: { accept: 'text/html' } });
          expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
          expect(response.status).toBe(404);
        });
      });

      async function expired(send: (key: string) => Promise<Judged>): Promise<Judged> {
        const { key } = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId, expires_at: new Date(Date.now() + 1_000).toISOString() });
        return refusedSoon(key, send);
      }

      async function revoked(send: (key: string) => Promise<Judged>): Promise<Judged> {
        const { id, key } = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId });
        await operator.revokeKey(id);
        return refusedSoon(key, send);
      }

      async function ofDisabledUser(send: (key: string) => Promise<Judged>): Promise<Judged> {
        const userId = await operator.createUser(tenant.workspaceId);
        const { key } = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: userId });
        await operator.setUserStatus(userId, 'disabled');
        return refusedSoon(key, send);
      }

      async function ofDisabledWorkspace(send: (key: string) => Promise<Judged>): Promise<Judged> {
        const other = await makeTenant(house, []);
        await operator.setWorkspaceStatus(other.workspaceId, 'disabled');
        return refusedSoon(other.apiKey, send);
      }

      /** What a key gets once the change has come about; it may take a second. */
      async function refusedSoon(key: string, send: (key: string) => Promise<Judged>): Promise<Judged> {
        return waitFor(
          async () => {
            const answer = await send(key);
            return answer.status === 401 || answer.json !== undefined && hasCode(answer.json, 'workspace_disabled') ? answer : undefined;
          },
          { timeoutMs: 3_000 },
        );
      }
    },
    { env: { PARLEY_HEADERS_TIMEOUT: '1s', PARLEY_BODY_IDLE_TIMEOUT: '1s' } },
  );
});

function unsupported(param: string): Refusal {
  return { status: 400, code: 'UNSUPPORTED_PARAMETER', param };
}

function imageRefused(): Refusal {
  return { ...BAD_HTTP, param: 'messages.0.content.0.image_url.url' };
}

function tooLarge(): Refusal {
  return { status: 413, code: 'request_too_large' };
}

function hasCode(json: unknown, code: string): boolean {
  return JSON.stringify(json).includes(`"code":"${code}"`);
}

/** A request with two Authorization headers, each of which would do by itself. */
function twice(method: string, path: string, key: string): string[] {
  const lines = ['Host: x', `Authorization: Bearer ${key}`, `Authorization: Bearer ${randomKey()}`, 'Content-Length: 0'];
  return [`${method} ${path} HTTP/1.1`, ...lines];
}

/** 64 MB of JSON in a few kilobytes. */
function bomb(): Buffer {
  return gzipSync(`{"model":"auto","messages":[{"role":"user","content":"${' '.repeat(64 * 1_024 * 1_024)}"}]}`);
}

