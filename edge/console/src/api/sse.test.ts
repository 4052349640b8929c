import { describe, expect, it } from '@jest/globals';
import { readSseData } from './sse.ts';

async function read(pieces: readonly string[]): Promise<{ events: string[]; raw: string }> {
  const bytes = new TextEncoder().encode(pieces.join(''));
  const size = Math.ceil(bytes.length / pieces.length);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events: string[] = [];
  let raw = '';
  for await (const data of readSseData(body, (text) => (raw += text))) events.push(data);
  return { events, raw };
}

describe('readSseData', () => {
  it('reads events, whatever the pieces are that they come in', async () => {
    const text = ': ping\n\ndata: {"a":"日本🎈"}\n\nevent: x\r\ndata: one\r\ndata:two\r\n\r\ndata: [DONE]\n\n';
    for (const count of [1, 3, 17, 60]) {
      const { events, raw } = await read([text, ...Array<string>(count).fill('')]);
      expect(events).toEqual(['{"a":"日本🎈"}', 'one\ntwo', '[DONE]']);
      expect(raw).toBe(text);
    }
  });

  it('gives nothing of an event that broke off', async () => {
    expect((await read(['data: whole\n\ndata: hal'])).events).toEqual(['whole']);
  });

  it('ends the request of who leaves', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: again\n\n')),
      cancel: () => void (isCancelled = true),
    });
    for await (const data of readSseData(body)) {
      expect(data).toBe('again');
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
