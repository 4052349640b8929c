import { describe, expect, it } from '@jest/globals';
import { ContentScanner } from '../wire/content-scanner.ts';
import { HttpMessageReader } from '../wire/http-message.ts';
import { renderStream, renderWhole, type Write } from './render.ts';
import { expectationOf, MODEL_NAMES, scriptOf, type Script } from './scripts.ts';

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
  for (const write of writes) reader.push((typeof write === 'function' ? write() : write).toString('latin1'));
  scanner.finish();
  return { ends, body, scanner };
}

const script = (model: string): Script => scriptOf(model) as Script;

describe('mock rendering', () => {
  it.each(MODEL_NAMES)('answers %s with what the load expects, streamed and whole', (model) => {
    const streamed = readBack(renderStream(model, script(model), false));
    expect(streamed).toMatchObject({ ends: 1, scanner: { done: true } });
    expect(streamed.scanner).toMatchObject({
      pieces: expectationOf(model, true).pieces,
      textBytes: expectationOf(model, true).textBytes,
    });
    const whole = readBack([renderWhole(model, script(model))]);
    expect(whole).toMatchObject({ ends: 1, scanner: { pieces: 1, textBytes: expectationOf(model, false).textBytes } });
    expect(() => JSON.parse(whole.body) as unknown).not.toThrow();
  });

  it('sends the usage chunk only when it is asked for', () => {
    expect(readBack(renderStream('fast', script('fast'), true)).body).toContain('"choices":[],"usage":{"prompt_tokens":12');
    expect(readBack(renderStream('fast', script('fast'), false)).body).not.toContain('"usage"');
  });

  it('paces chunks-64 in 16 writes and burst-64 in one', () => {
    expect(renderStream('chunks-64', script('chunks-64'), false)).toHaveLength(16);
    expect(renderStream('burst-64', script('burst-64'), false)).toHaveLength(1);
  });
});
