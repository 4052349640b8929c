import { type Script, stamp } from './scripts.ts';

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n';
const ID = 'chatcmpl-bench000000000000000000';
const CREATED = 1_700_000_000;

/** The writes of one streamed answer; a function where the text is stamped when it leaves. */
export type Write = Buffer | (() => Buffer);

/** Renders the whole HTTP answer of a non-streaming request. */
export function renderWhole(model: string, script: Script): Write {
  const build = (): Buffer => {
    const content = script.texts.map((text) => text ?? stamp(process.hrtime.bigint())).join('');
    return jsonResponse(200, {
      id: ID,
      object: 'chat.completion',
      created: CREATED,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
      usage: usageOf(script),
    });
  };
  return script.texts.includes(undefined) ? build : build();
}

/** Renders the writes of a streamed answer: the first carries the head and the role chunk, the last the end. */
export function renderStream(model: string, script: Script, includeUsage: boolean): Write[] {
  const frames = frameBuilder(model);
  const writes: Write[] = [];
  for (let at = 0; at < script.texts.length; at += script.group) {
    const texts = script.texts.slice(at, at + script.group);
    const first = at === 0;
    const last = at + script.group >= script.texts.length;
    const before = first ? frames({ role: 'assistant', content: '' }) : '';
    const after = last ? ending(model, frames, script, includeUsage) : '';
    const build = (): Buffer => {
      const middle = texts.map((text) => frames({ content: text ?? stamp(process.hrtime.bigint()) })).join('');
      return Buffer.from((first ? STREAM_HEAD : '') + httpChunk(before + middle + after) + (last ? '0\r\n\r\n' : ''), 'latin1');
    };
    writes.push(texts.includes(undefined) ? build : build());
  }
  return writes;
}

/** Renders a JSON answer with its head. */
export function jsonResponse(status: number, body: unknown): Buffer {
  const text = JSON.stringify(body);
  const reason = status === 200 ? 'OK' : 'Not Found';
  return Buffer.from(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    'latin1',
  );
}

type Frames = (delta: object, finish?: string) => string;

function frameBuilder(model: string): Frames {
  return (delta, finish) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish ?? null }];
    return `data: ${JSON.stringify({ id: ID, object: 'chat.completion.chunk', created: CREATED, model, choices })}\n\n`;
  };
}

function ending(model: string, frames: Frames, script: Script, includeUsage: boolean): string {
  const usage = { id: ID, object: 'chat.completion.chunk', created: CREATED, model, choices: [], usage: usageOf(script) };
  return `${frames({}, 'stop')}${includeUsage ? `data: ${JSON.stringify(usage)}\n\n` : ''}data: [DONE]\n\n`;
}

function usageOf(script: Script): object {
  const completion = script.texts.length * 4;
  return { prompt_tokens: 12, completion_tokens: completion, total_tokens: 12 + completion };
}

function httpChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
