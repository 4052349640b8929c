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
  const { messages, ...rest } = request;
  const pieces: Buffer[] = [];
  let text = `${JSON.stringify(rest).slice(0, -1)},"messages":[`;
  let separator = '';
  for (const message of messages) {
    text += separator + JSON.stringify(message);
    separator = ',';
    if (text.length < PIECE) continue;
    await letOthersRun();
    pieces.push(Buffer.from(text));
    text = '';
    await letOthersRun();
  }
  pieces.push(Buffer.from(`${text}]}`));
  return pieces;
}

function sizeOf({ content }: WireMessage): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((size, part) => size + (part.type === 'text' ? part.text.length : part.image_url.url.length), 0);
}
