import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { say, sayAfter, send } from '../testing/chat.ts';
import { framesOf, type Frame } from '../testing/frames.ts';
import { startTestSandbox, until, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterEach(() => sandbox.control('DELETE', '/accounts/ada/faults'));
afterAll(() => sandbox.close());

function order(fault: string, more: object = {}): Promise<void> {
  return sandbox.control('POST', '/accounts/ada/faults', { fault, ...more });
}

/** The frames before the stream ends or breaks. */
async function framesUntilBreak(response: Response): Promise<{ frames: Frame[]; broke: boolean }> {
  const frames: Frame[] = [];
  try {
    for await (const frame of framesOf(response)) frames.push(frame);
    return { frames, broke: false };
  } catch {
    return { frames, broke: true };
  }
}

describe('faults in the stream', () => {
  it.each([0, 1, 5, 100])('cut after %d chunks', async (chunks) => {
    await order('cut', { after_chunks: chunks });
    const { frames, broke } = await framesUntilBreak(await send(sandbox, token, { text: 'count to 9' }));
    expect(broke).toBe(true);
    expect(frames.map(({ event }) => event)).toEqual(['accepted', ...Array<string>(Math.min(chunks, 9)).fill('delta')]);
  });

  it('bad_json', async () => {
    await order('bad_json', { after_chunks: 1 });
    const { frames } = await framesUntilBreak(await send(sandbox, token, { text: 'count to 3' }));
    expect(frames.map(({ event }) => event)).toEqual(['accepted', 'delta', 'delta', 'delta', 'delta', 'done']);
    expect(() => JSON.parse(frames[2]?.data ?? '') as unknown).toThrow();
  });

  it('huge_event', async () => {
    await order('huge_event', { after_chunks: 1 });
    const response = await send(sandbox, token, { text: 'count to 3' });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBeGreaterThan(50 * 1024 * 1024);
    expect(bytes.subarray(-200).toString()).toContain('event: done');
  });

  it('huge_event ends with its reader', async () => {
    await order('huge_event');
    const before = await sandbox.report();
    const response = await send(sandbox, token, { text: 'count to 3' });
    for await (const { event } of framesOf(response)) if (event === 'delta') break;
    await until(async () => (await sandbox.report()).aborted_connections === before.aborted_connections + 1);
  });

  it('error_mid_stream breaks the reply off, for those who ask again as well', async () => {
    await order('error_mid_stream', { after_chunks: 2 });
    const broken = await say(sandbox, token, { text: 'count to 9', turn: 'broken' });
    expect(broken).toMatchObject({ text: '1 2', end: 'error', last: { code: 'upstream_error' } });
    expect(await say(sandbox, token, { text: 'count to 9', turn: 'broken' })).toEqual({ ...broken, deltas: 1 });
    expect((await sayAfter(sandbox, token, broken, 'what was my last message')).text).toContain('count to 9');
  });

  it('image_refused comes in the stream after the given delay', async () => {
    await order('image_refused', { after_chunks: 0 });
    const reply = await say(sandbox, token, { text: 'draw a cat' });
    expect(reply).toMatchObject({ text: '', end: 'error', last: { code: 'image_generation_unavailable' } });
  });
});
