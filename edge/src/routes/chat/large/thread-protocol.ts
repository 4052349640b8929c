import { type IncomingHttpHeaders } from 'node:http';
import { type Condition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type LargeChat, readLargeChat } from './read-large-chat.ts';

/** What a thread is asked to read; the pieces are its own from then on. */
export interface ReadJob {
  pieces: readonly Uint8Array[];
  headers: IncomingHttpHeaders;
}

/** What comes back. */
export type ReadAnswer = { chat: LargeChat } | { refusal: { condition: Condition; message: string; param: string | undefined } };

/** Reads in the thread; never throws. */
export function answerReadJob({ pieces, headers }: ReadJob): ReadAnswer {
  try {
    return { chat: readLargeChat(Buffer.concat(pieces), headers) };
  } catch (error) {
    const { condition, message, param } = toGatewayError(error);
    return { refusal: { condition, message, param } };
  }
}

/** What was read. @throws GatewayError what the thread refused the request with */
export function toLargeChat(answer: ReadAnswer): LargeChat {
  if ('chat' in answer) return answer.chat;
  const { condition, message, param } = answer.refusal;
  throw new GatewayError(condition, message, param === undefined ? {} : { param });
}
