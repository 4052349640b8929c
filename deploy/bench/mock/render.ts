import { type Corpus } from '../texts/corpus.ts';
import { type FillGap, Template, textFrom } from '../texts/template.ts';
import { type Script, stamp } from './scripts.ts';

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n';
const ID = 'chatcmpl-bench000000000000000000';
const CREATED = 1_700_000_000;
const PROMPT_TOKENS = 160;
const BYTES_PER_TOKEN = 4;
/** Marks the place of a text; JSON.stringify never returns a control character. */
const GAP = '\u0001';

/** One write of an answer: `start` is where the answer's text starts in the corpus. */
export type Write = (start: number) => Buffer;

/** Renders the whole HTTP answer of a non-streaming request. */
export function renderWhole(model: string, script: Script, corpus: Corpus): Write {
  const bytes = script.pieces * script.pieceBytes;
  const body = JSON.stringify({
    id: ID,
    object: 'chat.completion',
    created: CREATED,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: '' }, logprobs: null, finish_reason: 'stop' }],
    usage: usageOf(script),
  }).replace('"content":""', `"content":"${GAP}"`);
  const pieces = Array.from({ length: script.pieces }, () => script.pieceBytes);
  const [before = '', after = ''] = body.split(GAP);
  const template = new Template([headOf(200, before.length + bytes + after.length) + before, ...pieces, after]);
  return (start) => template.fill(fillerOf(script, corpus, start));
}

/** Renders the writes of a streamed answer: the first carries the head and the role chunk, the last the end. */
export function renderStream(model: string, script: Script, includeUsage: boolean, corpus: Corpus): Write[] {
  const frames = frameBuilder(model);
  const writes: Write[] = [];
  for (let at = 0; at < script.pieces; at += script.group) {
    const pieces = Math.min(script.group, script.pieces - at);
    const first = at === 0;
    const last = at + pieces === script.pieces;
    const before = first ? frames({ role: 'assistant', content: '' }) : '';
    const after = last ? ending(model, frames, script, includeUsage) : '';
    const text = before + frames({ content: GAP }).replace('\\u0001', GAP).repeat(pieces) + after;
    const chunk = httpChunk(text, text.length + pieces * (script.pieceBytes - GAP.length));
    const template = new Template(withGaps((first ? STREAM_HEAD : '') + chunk + (last ? '0\r\n\r\n' : ''), script.pieceBytes));
    writes.push((start) => template.fill(fillerOf(script, corpus, start + at * script.pieceBytes)));
  }
  return writes;
}

/** Renders a JSON answer with its head. */
export function jsonResponse(status: number, body: unknown): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(headOf(status, text.length) + text, 'latin1');
}

function headOf(status: number, length: number): string {
  return `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Not Found'}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

function fillerOf({ stamped }: Script, corpus: Corpus, start: number): FillGap {
  if (!stamped) return textFrom(corpus.bytes, start);
  return (target, offset) => void target.write(stamp(process.hrtime.bigint()), offset, 'latin1');
}

function withGaps(text: string, gapBytes: number): (string | number)[] {
  return text.split(GAP).flatMap((part, i) => (i === 0 ? [part] : [gapBytes, part]));
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

function usageOf({ pieces, pieceBytes }: Script): object {
  const completion = Math.ceil((pieces * pieceBytes) / BYTES_PER_TOKEN);
  return { prompt_tokens: PROMPT_TOKENS, completion_tokens: completion, total_tokens: PROMPT_TOKENS + completion };
}

function httpChunk(text: string, length: number): string {
  return `${length.toString(16)}\r\n${text}\r\n`;
}
