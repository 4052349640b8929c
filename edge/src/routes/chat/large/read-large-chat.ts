import { TurnRequest } from '@parley/protos/routing/v1/routing';
import { type IncomingHttpHeaders } from 'node:http';
import { parseJson } from '../../../middleware/read-body.ts';
import { estimateMessageTokens } from '../estimate-tokens.ts';
import { type EncodedMessages, parseChat, type ParsedChat } from '../parse-chat.ts';

/**
 * Bytes reserved in front of the messages for the other fields of the call, such as headers and caller; the edge accepts fewer bytes of
 * headers.
 */
const ROOM = 32 * 1_024;
const NOTHING = TurnRequest.decode(new Uint8Array());

/** A chat request whose turn has an empty list of messages; they are in `encoded`, in the wire format. */
export interface LargeChat extends ParsedChat {
  encoded: EncodedMessages;
}

/**
 * Parses a large chat body and encodes its messages. Runs in a worker thread.
 * @throws GatewayError as `parseJson` and `parseChat` do
 */
export function readLargeChat(body: Buffer, headers: IncomingHttpHeaders): LargeChat {
  const chat = parseChat(parseJson(body), headers);
  const { messages } = chat.turn;
  const bytes = withRoom(TurnRequest.encode({ ...NOTHING, messages }).finish());
  return {
    ...chat,
    turn: { ...chat.turn, messages: [] },
    encoded: { bytes, headroomBytes: ROOM, tokens: estimateMessageTokens({ messages }) },
  };
}

/** Copies the bytes behind `ROOM` free bytes in the same buffer. */
function withRoom(bytes: Uint8Array): Uint8Array {
  const roomy = new Uint8Array(ROOM + bytes.length);
  roomy.set(bytes, ROOM);
  return roomy.subarray(ROOM);
}
