import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { type ChatCompletionRequest, countRequestCharacters } from './openai-compatible/wire.ts';
import { isLargeRequest, type JsonBody, sendJson } from './send-json.ts';

const request = (messages: ChatCompletionRequest['messages']): ChatCompletionRequest => ({ model: 'm', messages });
/** What is sent of a request. */
const send = (of: object, size: number) => new Promise<JsonBody>((resolve, reject) => sendJson(of, size, resolve, reject));
const piecesOf = async ({ body }: JsonBody) => (typeof body === 'string' ? [Buffer.from(body)] : ((await body.toArray()) as Buffer[]));

describe.each([
  ['small', 0],
  ['large', 300_000],
])('a %s body', (_size, size) => {
  it.each([
    ['no message', []],
    ['one long text', [{ role: 'user', content: 'long "text" \u{1f600}\ud800 '.repeat(60_000) }]],
    ['many messages', Array.from({ length: 5_000 }, (_, n) => ({ role: 'user', content: `слово ${n} `.repeat(20) }))],
    [
      'a pair of surrogates at the end of a piece',
      [{ role: 'user', content: `${'x'.repeat(256 * 1_024 - 1)}\u{1f600}${'y'.repeat(300_000)}` }],
    ],
    ['no parts', [{ role: 'user', content: [] }]],
    [
      'an image',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,'.repeat(40_000) } } as const] }],
    ],
    ['parts', [{ role: 'user', content: [{ type: 'text', text: 'a' } as const, { type: 'text', text: 'b'.repeat(600_000) } as const] }]],
  ])('is the JSON of the request: %s', async (_name, messages) => {
    const sent = await send(request(messages), size);
    const bytes = Buffer.concat(await piecesOf(sent));
    // Compared apart from the matcher, whose report of a difference would be megabytes.
    expect(bytes.toString() === JSON.stringify(request(messages))).toBe(true);
    expect(sent.headers['content-type']).toBe('application/json');
    if (sent.body instanceof Readable) expect(sent.headers['content-length']).toBe(String(bytes.length));
  });
});

describe('a large body', () => {
  it('lets others run while it is encoded', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => void (isOver || (turns++, setImmediate(count)));
    setImmediate(count);
    const messages = Array.from({ length: 40 }, () => ({ role: 'user', content: 'x'.repeat(100_000) }));
    const sent = await send(request(messages), 4_000_000);
    isOver = true;
    const pieces = await piecesOf(sent);
    expect(pieces.length).toBeGreaterThan(10);
    expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
  });

  it('is one beyond 256 K characters, in strings and in parts', () => {
    const sizeOf = (content: ChatCompletionRequest['messages'][number]['content']) =>
      countRequestCharacters(request([{ role: 'user', content }]));
    expect(isLargeRequest(sizeOf('x'.repeat(256 * 1_024)))).toBe(false);
    expect(isLargeRequest(sizeOf('x'.repeat(256 * 1_024 + 1)))).toBe(true);
    expect(isLargeRequest(sizeOf([{ type: 'image_url', image_url: { url: 'x'.repeat(300_000) } }]))).toBe(true);
  });
});
