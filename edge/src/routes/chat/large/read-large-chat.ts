import { type IncomingHttpHeaders } from 'node:http';
import { TurnRequest } from '@parley/protos/routing/v1/routing';
import { parseJson } from '../../../middleware/body.ts';
import { tokensIn } from '../expected-tokens.ts';
import { type EncodedMessages, parseChat, type ParsedChat } from '../turn-request.ts';

/** Headers of a request, and who asks: less than the edge takes of headers. */
const ROOM = 32 * 1_024;
const NOTHING = TurnRequest.decode(new Uint8Array());

/** A chat request whose turn has its messages on the wire already, and none in itself. */
export interface LargeChat extends ParsedChat {
  encoded: EncodedMessages;
}

/**
 * Reads a large chat body, and encodes what is large of it. Runs in a thread of its own.
 * Throws as `parseJson` and `parseChat` do.
 */
export function readLargeChat(body: Buffer, headers: IncomingHttpHeaders): LargeChat {
  const chat = parseChat(parseJson(body), headers);
  const { messages } = chat.turn;
  const bytes = withRoom(TurnRequest.encode({ ...NOTHING, messages }).finish());
  return { ...chat, turn: { ...chat.turn, messages: [] }, encoded: { bytes, room: ROOM, tokens: tokensIn({ messages }) } };
}

/** Behind room for what goes before them. */
function withRoom(bytes: Uint8Array): Uint8Array {
  const roomy = new Uint8Array(ROOM + bytes.length);
  roomy.set(bytes, ROOM);
  return roomy.subarray(ROOM);
}
