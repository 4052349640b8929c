import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CHAT, said } from '../harness/chat.ts';
import { expectRefusal, type Judged, type Refusal } from '../harness/expectations.ts';
import { call } from '../harness/http.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { BAD_HTTP, check, invalid, type Row, senderTo, UNKNOWN_ID } from './rows.ts';

describe('bad chat bodies', () => {
  inBothTopologies((gateway) => {
    const { tenant, chat, posted } = senderTo(gateway);
    const body = (fields: Record<string, unknown>) => () => chat({ body: fields });
    afterEach(async () => {
      expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
    });

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
      [19, 'functions', body({ functions: [{ name: 'f' }] }), unsupported('functions')],
      [19, 'function_call', body({ function_call: { name: 'f' } }), unsupported('function_call')],
      [20, 'n of 2', body({ n: 2 }), unsupported('n')],
      [21, 'logprobs', body({ logprobs: true }), unsupported('logprobs')],
      [23, 'an unknown model', body({ model: 'no-such-model' }), { ...BAD_HTTP, param: 'model' }],
      [
        35,
        'an unknown file id',
        body({ attachment_file_ids: ['file_unknown'] }),
        { status: 404, code: 'ASSET_NOT_FOUND', param: 'attachment_file_ids' },
      ],
      [36, 'an image of the metadata service', image('http://169.254.169.254/latest/meta-data'), imageRefused()],
      [36, 'the same over https', image('https://169.254.169.254/latest/meta-data'), imageRefused()],
      [36, 'an image of the file system', image('file:///etc/passwd'), imageRefused()],
      [37, 'U+0000', message({ content: 'a\u0000b' }), invalid('messages.0.content')],
      [
        38,
        'a lone surrogate',
        () => posted({ body: '{"model":"auto","messages":[{"role":"user","content":"\\ud800"}]}' }),
        invalid('messages.0.content'),
      ],
      [39, 'nesting 200,000 deep', () => posted({ body: '['.repeat(200_000) + ']'.repeat(200_000) }), invalid('body')],
      [40, 'malformed JSON', () => posted({ body: '{"model": "auto", "messages": [' }), invalid('body')],
      [40, 'no body', () => posted({ body: '' }), invalid('body')],
      [41, '50 MB', () => posted({ body: Buffer.alloc(50 * 1_024 * 1_024, 32) }), tooLarge()],
      [41, '50 MB of unannounced length', () => posted50MBInChunks(), tooLarge()],
      [
        42,
        'text/plain',
        () => posted({ headers: { 'content-type': 'text/plain' }, body: '{}' }),
        { status: 415, code: 'unsupported_media_type', param: 'Content-Type' },
      ],
      [
        43,
        'millions of values in 20 KB',
        () => posted({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(`{"tools":[${'{},'.repeat(6_000_000)}{}]}`) }),
        invalid('body'),
      ],
      [
        43,
        '300,000 content parts',
        () => posted({ body: `{"model":"auto","messages":[{"role":"user","content":[${'{},'.repeat(300_000)}{}]}]}` }),
        invalid('body'),
      ],
      [43, 'a gzip bomb', () => posted({ headers: { 'content-encoding': 'gzip' }, body: bomb() }), tooLarge()],
    ])('row %s: %s', check);

    it.each<[number, string, Record<string, unknown>]>([
      [22, 'tools null, n 1 and logprobs false count as absent', { tools: null, tool_choice: null, n: 1, logprobs: false }],
      [22, 'functions that are none count as absent', { functions: [], function_call: null }],
      [24, 'conversation_id in the body is ignored', { conversation_id: UNKNOWN_ID, project_id: 'x' }],
      [
        89,
        '__proto__ as a key has no effect',
        JSON.parse('{"__proto__":{"stream":true,"n":2},"constructor":{"prototype":{"n":2}}}') as Record<string, unknown>,
      ],
    ])('row %s: %s', async (_row, _what, fields) => {
      const { text, conversation } = said(await chat({ say: 'say fine', body: fields }));
      expect(text).toBe('fine');
      expect(conversation).not.toBe(UNKNOWN_ID);
    });

    it('row 36: opens no connection', async () => {
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
      const init = {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant().apiKey}`, 'content-type': 'application/json' },
        body: source,
        duplex: 'half',
      };
      const response = await fetch(gateway().url + CHAT, init as RequestInit);
      return { status: response.status, headers: response.headers, json: await response.json() };
    }
  });
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

/** 64 MB of JSON in a few kilobytes. */
function bomb(): Buffer {
  return gzipSync(`{"model":"auto","messages":[{"role":"user","content":"${' '.repeat(64 * 1_024 * 1_024)}"}]}`);
}
