import { afterEach, describe, expect, it } from '@jest/globals';
import { adminToken } from '../harness/admin-token.ts';
import { CHAT } from '../harness/chat.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { call, open } from '../harness/http.ts';
import { sendRaw, wire } from '../harness/raw-socket.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { BAD_HTTP, check, invalid, type Row, senderTo, unauthorised } from './rows.ts';

describe('bad HTTP', () => {
  inBothTopologies(
    (gateway) => {
      const { tenant, raw } = senderTo(gateway);
      afterEach(async () => {
        expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
      });

      const posting = (...lines: string[]) => ['POST /v1/chat/completions HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...lines];
      const getting = (...lines: string[]) => ['GET /v1/models HTTP/1.1', 'Host: x', ...lines];
      const keys = async (id: string) => call(gateway(), 'DELETE', `/admin/v1/keys/${id}`, { key: await adminToken(gateway()) });

      it.each<Row>([
        [
          79,
          'Content-Length and Transfer-Encoding',
          () => raw(posting('Content-Length: 4', 'Transfer-Encoding: chunked'), '0\r\n\r\n'),
          BAD_HTTP,
        ],
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
        [
          86,
          'headers that never end',
          () => sendRaw(gateway(), 'GET /v1/models HTTP/1.1\r\nHost: x\r\n'),
          { status: 408, code: 'request_timeout' },
        ],
        [
          86,
          'a body that never ends',
          () => raw(posting(`Authorization: Bearer ${tenant().apiKey}`, 'Content-Length: 100'), '{"model"'),
          { status: 408, code: 'request_timeout' },
        ],
        ['', 'no HTTP at all', () => sendRaw(gateway(), 'hello there\r\n\r\n'), BAD_HTTP],
        ['', 'an unknown path', () => call(gateway(), 'GET', '/v1/nothing', { key: tenant().apiKey }), { status: 404, code: 'not_found' }],
        ['', 'a wrong method', () => call(gateway(), 'GET', CHAT, { key: tenant().apiKey }), { status: 405, code: 'method_not_allowed' }],
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

      it('row 87: a good request id is echoed, in the envelope of every refusal too', async () => {
        for (const lines of [
          getting('X-Request-Id: my~id.1'),
          getting('X-Request-Id: my~id.1', 'Host: y'),
          posting('X-Request-Id: my~id.1', 'Content-Length: x'),
        ]) {
          expect((await raw(lines)).headers.get('x-request-id')).toBe('my~id.1');
        }
      });

      it('row 88: forged hosts have no effect', async () => {
        const forged = ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https', 'Forwarded: host=evil.example'];
        const { status, text, json } = await sendRaw(
          gateway(),
          wire(['GET /v1/capabilities HTTP/1.1', 'Host: evil.example', `Authorization: Bearer ${tenant().apiKey}`, ...forged]),
        );
        expect(status).toBe(200);
        expect(text).not.toContain('evil.example');
        expect(json).toMatchObject({ base_url: gateway().url });
      });

      it('row 89: __proto__ as a header has no effect', async () => {
        const { status, json } = await raw(getting('__proto__: x', 'constructor: x', `Authorization: Bearer ${tenant().apiKey}`));
        expect({ status, json }).toMatchObject({ status: 200, json: { object: 'list' } });
      });

      it('answers JSON to a browser that asks for a page that does not exist', async () => {
        const response = await open(gateway(), 'GET', '/nothing', { headers: { accept: 'text/html' } });
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(response.status).toBe(404);
      });
    },
    { env: { PARLEY_HEADERS_TIMEOUT: '3s', PARLEY_BODY_IDLE_TIMEOUT: '3s' } },
  );
});
