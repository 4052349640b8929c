import { describe, expect, it } from '@jest/globals';
import { OPERATIONS as ON_CONVERSATIONS } from './conversations/operations.ts';
import { adminToken } from './harness/admin-token.ts';
import { ask, CHAT, stream } from './harness/chat.ts';
import { describedBy, nameOf, operationsOf } from './harness/described.ts';
import { type OpenApi, pointer } from './harness/description/document.ts';
import { checksOf } from './harness/description/schemas.ts';
import { disagreements, watched } from './harness/description/watch.ts';
import { readStream } from './harness/event-stream.ts';
import { call } from './harness/http.ts';
import { inBothTopologies } from './harness/topologies.ts';
import { OPERATIONS as ON_WORKSPACES } from './workspace-resources/operations.ts';

const SINGLE = ['/', '/livez', '/openapi-public.json', '/readyz', '/v1/capabilities', '/v1/connections', '/v1/models', '/v1/usage'];
const PUBLIC = [...SINGLE.map((path) => `GET ${path}`), 'GET /docs-public', 'GET /docs-public/{file}', `POST ${CHAT}`];

describe('the description of the API', () => {
  inBothTopologies((gateway) => {
    it('lists the public operations that exist, and no others', async () => {
      const document = await describedBy(gateway());
      const elsewhere = [...ON_CONVERSATIONS, ...ON_WORKSPACES].map(nameOf);
      // The suites on audio and actions see to theirs.
      const covered = operationsOf(document, /^\/v1\/(?:audio|actions)(?:\/|$)/);
      expect(operationsOf(document, /./)).toEqual([...PUBLIC, ...covered, ...elsewhere].sort());
      for (const path of SINGLE) expect((await call(gateway(), 'GET', path, { key: gateway().apiKey })).status).toBe(200);
    });

    it('names every operation once, with the key it needs', async () => {
      const { paths } = await describedBy(gateway());
      const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
      expect(new Set(ids).size).toBe(ids.length);
      for (const [path, methods] of Object.entries(paths)) {
        for (const { security } of Object.values(methods)) expect(security).toEqual(path.startsWith('/v1/') ? [{ apiKey: [] }] : []);
      }
    });

    it('keeps the operator’s surface to the operator', async () => {
      expect(JSON.stringify(await describedBy(gateway()))).not.toContain('/admin/');
      expect((await call(gateway(), 'GET', '/openapi.json')).status).toBe(401);
      expect((await call(gateway(), 'GET', '/openapi.json', { key: gateway().apiKey })).status).toBe(401);
      const whole = (await call(gateway(), 'GET', '/openapi.json', { key: await adminToken(gateway()) })).json as OpenApi;
      expect(Object.keys(whole.paths)).toEqual(expect.arrayContaining(['/admin/v1/keys', '/admin/v1/connections', CHAT]));
    });

    it('takes what is described', async () => {
      const { sent } = checksOf(await describedBy(gateway()));
      const at = pointer('paths', CHAT, 'post', 'requestBody', 'content', 'application/json', 'schema');
      const content = [{ type: 'text', text: 'hello' }];
      expect(sent(at, { model: 'auto', messages: [{ role: 'user', content }] })).toBeUndefined();
      expect(sent(at, { model: 'auto', messages: [] })).toContain('/messages');
    });

    describe('is held against every exchange of these suites', () => {
      /** Answers something else than the gateway did. */
      const altered = (change: (response: Response, text: string) => Response) =>
        watched(async (input, init) => {
          const response = await fetch(input, init);
          return change(response, await response.text());
        });
      const send = async (path: string, change: (response: Response, text: string) => Response, body?: object) => {
        const headers = { authorization: `Bearer ${gateway().apiKey}`, 'content-type': 'application/json' };
        const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
        await (await altered(change)(gateway().url + path, init)).text();
        return disagreements().join('\n');
      };
      const with_ = ({ status, headers }: Response, text: string | null) => new Response(text, { status, headers });

      it('which agree', async () => {
        expect((await ask(gateway(), { say: 'count to 3' })).status).toBe(200);
        await readStream(await stream(gateway(), { say: 'count to 3', body: { stream_options: { include_usage: true } } }));
        await ask(gateway(), { body: { model: 'no-such-model' } });
        expect(disagreements()).toEqual([]);
      });

      it.each<[string, string, (response: Response, text: string) => Response, string]>([
        ['a field without a description', '/v1/models', (r, text) => with_(r, text.replace('{', '{"secret":1,')), 'secret'],
        ['a field that is missing', '/v1/usage', (r, text) => with_(r, text.replace('"errors"', '"failures"')), 'errors'],
        [
          'another status',
          '/v1/models',
          ({ headers }, text) => new Response(text, { status: 202, headers }),
          'the status is not described',
        ],
        [
          'another code',
          '/v1/usage?period=1y',
          (r, text) => with_(r, text.replace('VALIDATION_ERROR', 'ODD_ERROR')),
          'the code ODD_ERROR is not described',
        ],
        [
          'another media type',
          '/v1/models',
          ({ headers }, text) => new Response(text, { headers: { ...Object.fromEntries(headers), 'content-type': 'text/html' } }),
          'the answer is text/html',
        ],
        [
          'a header that is missing',
          '/v1/connections',
          (r, text) => (r.headers.delete('link'), with_(r, text)),
          'the header link is missing',
        ],
        [
          'a header without a description',
          '/v1/models',
          (r, text) => (r.headers.set('x-node', 'edge-1'), with_(r, text)),
          'the header x-node is not described',
        ],
      ])('and finds %s', async (_what, path, change, expected) => {
        expect(await send(path, change)).toContain(expected);
      });

      it('and finds an event without a description in a stream', async () => {
        const body = { model: 'auto', messages: [{ role: 'user', content: 'count to 3' }], stream: true };
        const change = (response: Response, text: string) => with_(response, text.replace('"content":" 2"', '"words":" 2"'));
        const said = await send(CHAT, change, body);
        expect(said).toContain('/choices/0/delta');
        expect(said).toContain('"words"');
        expect(await send(CHAT, (response, text) => with_(response, text.slice(0, -9)), body)).toContain('the stream ends within an event');
      });

      it('and finds a parameter that is accepted, and a body, though they are described otherwise', async () => {
        const page = {
          status: 200,
          headers: { link: '<x>', 'x-total-count': '0', 'x-request-id': '1', 'content-type': 'application/json' },
        };
        expect(await send('/v1/connections?limit=0', () => new Response('[]', page))).toContain('query limit');
        const answer = await ask(gateway(), { say: 'hello' });
        const all = await send(CHAT, () => new Response(answer.text, answer), { model: 'auto', messages: [] });
        expect(all).toContain('the body that was sent: /messages');
      });
    });
  });
});
