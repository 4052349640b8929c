import { type IncomingMessage, type ServerResponse } from 'node:http';
import { concatPieces, copyPieces, SMALL_BODY_BYTES } from '../../middleware/body-buffer.ts';
import { type Principal } from '../../middleware/principal.ts';
import { parseJson, readBody } from '../../middleware/read-body.ts';
import { type ChatDeps } from './deps.ts';
import { decodeMessages } from './large/decode-messages.ts';
import { parseChat, type ParsedChat } from './parse-chat.ts';

/** Most JSON values in a chat body; 10,000 messages of two parts each have 90,000. */
export const MAX_CHAT_VALUES = 100_000;
/** A body with more values is parsed in a worker thread, even when it has few bytes. */
export const MAX_INLINE_JSON_VALUES = 10_000;

type Reading = Pick<ChatDeps, 'bodies' | 'largeBodyPool' | 'encodesTurns' | 'config'>;

/** Reads the chat request of a body and its headers. Rejects as `readBody`, `parseJson`, `parseChat` and LargeBodyPool do. */
export async function readChat(deps: Reading, { workspaceId }: Principal, req: IncomingMessage, res: ServerResponse): Promise<ParsedChat> {
  const { maxChatBodyBytes, bodyIdleMs } = deps.config;
  const work = deps.bodies.createCounter(workspaceId);
  try {
    const { pieces, size, values } = await readBody(req, {
      limitBytes: maxChatBodyBytes,
      values: MAX_CHAT_VALUES,
      idleMs: bodyIdleMs,
      work,
    });
    if (size <= SMALL_BODY_BYTES && values <= MAX_INLINE_JSON_VALUES) return parseChat(parseJson(concatPieces(pieces)), req.headers);
    const isClientConnected = () => !res.destroyed;
    // The thread does not need the key or the session.
    const headers = { ...req.headers, authorization: undefined, cookie: undefined };
    const chat = await deps.largeBodyPool.read({ workspaceId, pieces: ownPieces(pieces, size), headers, isClientConnected });
    if (deps.encodesTurns) return chat;
    const { encoded, ...decoded } = chat;
    return { ...decoded, turn: { ...chat.turn, messages: await decodeMessages(encoded.bytes) } };
  } finally {
    work.release();
  }
}

/** A body for another thread must own its memory; the pieces of a small body may share the network's buffers. */
function ownPieces(pieces: readonly Buffer[], size: number): readonly Buffer[] {
  return size > SMALL_BODY_BYTES ? pieces : [copyPieces(pieces)];
}
