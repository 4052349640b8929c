import { describe, expect, it } from '@jest/globals';
import { encodeLargeBody, isLarge } from './large-body.ts';
import { type CompletionRequest } from './wire.ts';

const request = (messages: CompletionRequest['messages']): CompletionRequest => ({ model: 'm', messages });
const encoded = async (of: CompletionRequest) => Buffer.concat(await encodeLargeBody(of)).toString('utf8');

describe('a large body', () => {
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
    const of = request(messages);
    // Compared apart from the matcher, whose report of a difference would be megabytes.
    expect((await encoded(of)) === JSON.stringify({ model: of.model, messages: of.messages })).toBe(true);
  });

  it('lets others run while it is encoded', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => void (isOver || (turns++, setImmediate(count)));
    setImmediate(count);
    const pieces = await encodeLargeBody(request(Array.from({ length: 40 }, () => ({ role: 'user', content: 'x'.repeat(100_000) }))));
    isOver = true;
    expect(pieces.length).toBeGreaterThan(10);
    expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
  });

  it('is one beyond 256 K characters, in strings and in parts', () => {
    expect(isLarge(request([{ role: 'user', content: 'x'.repeat(256 * 1_024) }]))).toBe(false);
    expect(isLarge(request([{ role: 'user', content: 'x'.repeat(256 * 1_024 + 1) }]))).toBe(true);
    expect(isLarge(request([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x'.repeat(300_000) } }] }]))).toBe(true);
  });
});
