import { describe, expect, it } from '@jest/globals';
import { Corpus } from '../texts/corpus.ts';
import { ContentScanner } from '../wire/content-scanner.ts';
import { HttpMessageReader } from '../wire/http-message.ts';
import { renderStream, renderWhole, type Write } from './render.ts';
import { expectationOf, MODEL_NAMES, scriptOf, type Script } from './scripts.ts';

const corpus = new Corpus(3, 64 * 1_024);

function readBack(writes: Write[]): { ends: number; body: string; scanner: ContentScanner } {
  const scanner = new ContentScanner();
  let ends = 0;
  let body = '';
  const reader = new HttpMessageReader({
    onHead: () => undefined,
    onBody: (text) => {
      body += text;
      scanner.push(text);
    },
    onEnd: () => (ends += 1),
  });
  const start = corpus.next();
  for (const write of writes) reader.push(write(start).toString('latin1'));
  scanner.finish();
  return { ends, body, scanner };
}

const script = (model: string): Script => scriptOf(model) as Script;

describe('mock rendering', () => {
  it.each(MODEL_NAMES)('answers %s with what the load expects, streamed and whole', (model) => {
    const streamed = readBack(renderStream(model, script(model), false, corpus));
    expect(streamed).toMatchObject({ ends: 1, scanner: { done: true } });
    expect(streamed.scanner).toMatchObject({
      pieces: expectationOf(model, true).pieces,
      textBytes: expectationOf(model, true).textBytes,
    });
    const whole = readBack([renderWhole(model, script(model), corpus)]);
    expect(whole).toMatchObject({ ends: 1, scanner: { pieces: 1, textBytes: expectationOf(model, false).textBytes } });
    expect(() => JSON.parse(whole.body) as unknown).not.toThrow();
  });

  it('answers each request with a text of its own, which the chunks of a stream hold in their order', () => {
    const [first, second] = [corpus.next(), corpus.next()];
    const write = renderWhole('fast', script('fast'), corpus);
    expect(write(first)).not.toEqual(write(second));
    const stream = renderStream('chunks-64', script('chunks-64'), false, corpus).map((part) => part(first).toString('latin1'));
    const said = [...stream.join('').matchAll(/"content":"([^"]+)"/g)].map(([, text]) => text).join('');
    expect(said).toBe(corpus.bytes.toString('latin1', first, first + 1_024));
  });

  it('sends the usage chunk only when it is asked for', () => {
    expect(readBack(renderStream('fast', script('fast'), true, corpus)).body).toContain('"choices":[],"usage":{"prompt_tokens":160');
    expect(readBack(renderStream('fast', script('fast'), false, corpus)).body).not.toContain('"usage"');
  });

  it('paces chunks-64 in 16 writes and burst-64 in one', () => {
    expect(renderStream('chunks-64', script('chunks-64'), false, corpus)).toHaveLength(16);
    expect(renderStream('burst-64', script('burst-64'), false, corpus)).toHaveLength(1);
  });
});
