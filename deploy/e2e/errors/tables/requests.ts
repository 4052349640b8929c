import { CHAT } from '../../harness/chat.ts';
import { call } from '../../harness/http.ts';
import { sendRaw, wire } from '../../harness/raw-socket.ts';
import { formRequest } from '../../harness/upload.ts';
import { inATenant, type ErrorContext } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

const MIB = 2 ** 20;
const EXE = { name: 'doors.exe', bytes: Buffer.from('MZ\x90\x00\x03', 'latin1') };
const TOO_LARGE = { name: 'doors.txt', bytes: Buffer.alloc(10 * MIB + 1, 'x') };

const raw =
  (...lines: string[]): Provoke =>
  (gateway) =>
    sendRaw(gateway, wire(['GET /v1/models HTTP/1.1', ...lines]));
const attaching = (file: Parameters<typeof formRequest>[0]) =>
  inATenant(async ({ send, begin }) => send('POST', `/v1/conversations/${await begin()}/attachments`, formRequest(file)));
const creating = (body: unknown) => inATenant(({ send }: ErrorContext) => send('POST', '/v1/projects', { body }));

/** What is wrong with a request before anything is asked of anybody. */
export const REQUESTS: readonly Row[] = [
  ['INVALID_REQUEST', 'two Host headers', raw('Host: x', 'Host: y'), { param: 'Host' }],
  ['HEADERS_TOO_LARGE', 'a header of 17 KB', raw('Host: x', `X-Large: ${'x'.repeat(17 * 1_024)}`)],
  ['REQUEST_TIMEOUT', 'headers that never end', (gateway) => sendRaw(gateway, 'GET /v1/models HTTP/1.1\r\nHost: x\r\n')],
  ['NOT_FOUND', 'a path that there is not', (gateway) => call(gateway, 'GET', '/v1/nothing', { key: gateway.apiKey })],
  [
    'METHOD_NOT_ALLOWED',
    'a method that the path does not have',
    (gateway) => call(gateway, 'GET', CHAT, { key: gateway.apiKey }),
    { headers: { allow: /\bPOST\b/ } },
  ],
  ['REQUEST_TOO_LARGE', 'more JSON than fits', creating({ name: 'x'.repeat(MIB) }), { param: 'body' }],
  [
    'UNSUPPORTED_MEDIA_TYPE',
    'a body of another type',
    inATenant(({ send }) => send('POST', '/v1/projects', { headers: { 'content-type': 'text/plain' }, body: 'Doors' })),
    { param: 'Content-Type' },
  ],
  ['VALIDATION_ERROR', 'a body without what it must have', creating({}), { param: 'name' }],
  [
    'INVALID_MEMORY_POLICY',
    'a memory policy that there is not',
    creating({ name: 'Doors', memory_policy: 'everything' }),
    { param: 'memory_policy' },
  ],
  [
    'UNSUPPORTED_PARAMETER',
    'a turn with tools',
    inATenant(({ chat }) => chat({ body: { tools: [{ type: 'function' }] } })),
    { param: 'tools' },
  ],
  ['UNSUPPORTED_FILE_TYPE', 'a program as an attachment', attaching(EXE), { param: 'file' }],
  ['FILE_TOO_LARGE', 'a file of one byte too many', attaching(TOO_LARGE), { param: 'file' }],
];
