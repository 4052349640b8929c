import { describe, expect, it } from '@jest/globals';
import { MAX_FILE_BYTES } from '@parley/kit/rpc/open-file-stream';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEdgeSettings } from './config.ts';
import { MAX_BODY_PAUSE_MS } from './http/discard-request-body.ts';
import { MAX_HEADER_BYTES, MAX_HEADERS } from './http/http-server.ts';
import { MAX_JSON_VALUES } from './http/run-route.ts';
import { SMALL_BODY_BYTES } from './middleware/body-buffer.ts';
import { MAX_COMPRESSION_RATIO } from './middleware/decompress-body.ts';
import { MAX_CLIENTS } from './middleware/local-rate-window.ts';
import { PART_LIMITS, FORM_OVERHEAD_BYTES } from './middleware/open-form-parser.ts';
import { MAX_AUDIT_ENTRIES_PER_MINUTE } from './middleware/operator-key-limiter.ts';
import { MAX_JSON_DEPTH } from './middleware/read-body.ts';
import { MAX_HEADER_LENGTH } from './middleware/read-header.ts';
import { SLICE_BYTES } from './routes/chat/large/decode-messages.ts';
import { MAX_WAITING, MAX_WAITING_PER_WORKSPACE } from './routes/chat/large/large-body-pool.ts';
import { READ_TIMEOUT_MS } from './routes/chat/large/reader-thread.ts';
import { MAX_CHAT_VALUES } from './routes/chat/read-chat.ts';
import { chatRequest } from './routes/chat/schema.ts';
import { MAX_AUDIO_BYTES } from './routes/uploads.ts';

const PAGE = join(import.meta.dirname, '../../docs/limits.md');
const config = readEdgeSettings({
  DATABASE_URL: 'postgres://127.0.0.1/parley',
  NATS_URL: 'nats://127.0.0.1:4222',
  PARLEY_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
});

const bytes = (count: number) => (count >= 1_024 ** 2 ? `${count / 1_024 ** 2} MiB` : `${count / 1_024} KiB`);
const time = (ms: number) => (ms >= 120_000 ? `${ms / 60_000} min` : `${ms / 1_000} s`);
const many = (count: number) => count.toLocaleString('en-US');
const rate = ({ text }: { text: string }) => text.replace('per 1 minute', 'per minute');

/** Rows of the page: the bound and its value. */
const ROWS: readonly [bound: string, value: string][] = [
  ['bytes of a request line and its headers', bytes(MAX_HEADER_BYTES)],
  ['headers', many(MAX_HEADERS)],
  ['a header of ours', `${MAX_HEADER_LENGTH} characters`],
  ['bytes of a chat body (`PARLEY_MAX_CHAT_BODY`)', bytes(config.maxChatBodyBytes)],
  ['bytes of any other JSON (`PARLEY_MAX_BODY`)', bytes(config.maxBodyBytes)],
  ['values in a chat body', many(MAX_CHAT_VALUES)],
  ['values in any other JSON', many(MAX_JSON_VALUES)],
  ['levels of nesting', many(MAX_JSON_DEPTH)],
  ['inflated size beside the compressed one', `${MAX_COMPRESSION_RATIO} times`],
  ['messages of a chat', many(largest('messages'))],
  ['attached files of a chat', many(largest('attachment_file_ids'))],
  ['a file for a conversation or a project', bytes(MAX_FILE_BYTES)],
  ['a recording', bytes(MAX_AUDIO_BYTES)],
  ['fields and parts of a form', `${PART_LIMITS.fields} and ${PART_LIMITS.parts}`],
  ['a field of a form', bytes(PART_LIMITS.fieldSize)],
  ['bytes around the file of a form', bytes(FORM_OVERHEAD_BYTES)],
  ['headers (`PARLEY_HEADERS_TIMEOUT`)', time(config.headersTimeoutMs)],
  ['a whole request (`PARLEY_REQUEST_TIMEOUT`)', time(config.requestTimeoutMs)],
  ['a pause within a body (`PARLEY_BODY_IDLE_TIMEOUT`)', time(config.bodyIdleMs)],
  ['a pause in the rest of a body that was answered', time(MAX_BODY_PAUSE_MS)],
  ['an idle connection (`PARLEY_KEEP_ALIVE_TIMEOUT`)', time(config.keepAliveMs)],
  ['reading a large body, in its thread', time(READ_TIMEOUT_MS)],
  ['a client that does not read (`PARLEY_STALLED_CLIENT_TIMEOUT`)', time(config.stalledClientMs)],
  ['requests of an address (`PARLEY_THROTTLE_RATE_LIMIT`)', rate(config.throttle.rate_limit)],
  ['requests under way (`PARLEY_WORKSPACE_CONCURRENCY`)', many(config.workspaceConcurrency)],
  ['bytes of large bodies (`PARLEY_WORKSPACE_BODY_BYTES`)', bytes(config.workspaceBodyBytes)],
  ['the same of all workspaces (`PARLEY_TOTAL_BODY_BYTES`)', bytes(config.totalBodyBytes)],
  ['large bodies that wait to be read, of a workspace', many(MAX_WAITING_PER_WORKSPACE)],
  ['large bodies that wait to be read, of all', many(MAX_WAITING)],
  ['a body that is parsed on the event loop', bytes(SMALL_BODY_BYTES)],
  ['messages of a large body that are decoded in one go', bytes(SLICE_BYTES)],
  ['wrong keys of an address (`PARLEY_THROTTLE_OPERATOR_KEY`)', rate(config.operatorKeyLimit)],
  ['entries on wrong operator keys in the audit log', `${MAX_AUDIT_ENTRIES_PER_MINUTE} per minute`],
  ['client addresses that are counted', many(MAX_CLIENTS)],
];

/** How many elements a field of a chat may have. */
function largest(field: 'messages' | 'attachment_file_ids'): number {
  const of = (count: number) => chatRequest.shape[field].safeParse(Array.from({ length: count }, () => 'x'));
  const isTooMany = (count: number) => of(count).error?.issues.some(({ code }) => code === 'too_big') === true;
  return [20, 10_000].find((count) => !isTooMany(count) && isTooMany(count + 1)) ?? NaN;
}

describe('docs/limits.md', () => {
  it('says what the code says', async () => {
    const rows = (await readFile(PAGE, 'utf8')).split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const shown = new Map(rows.map(([, bound = '', value]) => [bound, value]));
    for (const [bound, value] of ROWS) expect([bound, shown.get(bound)]).toEqual([bound, value]);
  });
});
