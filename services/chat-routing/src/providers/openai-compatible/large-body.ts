import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type CompletionRequest, type WireMessage } from './wire.ts';

/** Characters of a request that are encoded before other requests have their turn. */
const PIECE = 256 * 1_024;

/** True for a request whose encoding at once would delay other requests. */
export function isLarge({ messages }: CompletionRequest): boolean {
  let size = 0;
  for (const message of messages) if ((size += sizeOf(message)) > PIECE) return true;
  return false;
}

/** Encodes a large request as JSON in UTF-8, in pieces with a pause after each. The pieces together are what `JSON.stringify` gives. */
export async function encodeLargeBody(request: CompletionRequest): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = '';
  for (const part of jsonOf(request)) {
    text += part;
    if (text.length < PIECE) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await letOthersRun();
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

function* jsonOf({ messages, ...rest }: CompletionRequest): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"messages":[`;
  let separator = '';
  for (const { role, content } of messages) {
    yield `${separator}{"role":${JSON.stringify(role)},"content":`;
    if (typeof content === 'string') yield* jsonOfText(content);
    else yield* jsonOfParts(content);
    yield '}';
    separator = ',';
  }
  yield ']}';
}

function* jsonOfParts(parts: Exclude<WireMessage['content'], string>): Generator<string> {
  let separator = '[';
  for (const part of parts) {
    yield separator;
    if (part.type === 'text') {
      yield '{"type":"text","text":';
      yield* jsonOfText(part.text);
      yield '}';
    } else {
      yield '{"type":"image_url","image_url":{"url":';
      yield* jsonOfText(part.image_url.url);
      yield '}}';
    }
    separator = ',';
  }
  yield parts.length === 0 ? '[]' : ']';
}

function* jsonOfText(text: string): Generator<string> {
  if (text.length <= PIECE) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (let at = 0; at < text.length;) {
    const end = at + PIECE;
    // Halves of a surrogate pair would be written as escapes.
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield JSON.stringify(text.slice(at, next)).slice(1, -1);
    at = next;
  }
  yield '"';
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function sizeOf({ content }: WireMessage): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((size, part) => size + (part.type === 'text' ? part.text.length : part.image_url.url.length), 0);
}
