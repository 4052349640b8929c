import { type ErrorCondition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type IncomingHttpHeaders } from 'node:http';
import { type LargeChat, readLargeChat } from './read-large-chat.ts';

/** A body to read in a thread; its pieces are transferred to the thread. */
export interface ReadJob {
  pieces: readonly Uint8Array[];
  headers: IncomingHttpHeaders;
}

/** The result of a read job: the chat request, or the error that rejected it. */
export type ReadJobResult = { chat: LargeChat } | { refusal: { condition: ErrorCondition; message: string; param: string | undefined } };

/** Runs a read job in the thread; never throws. */
export function runReadJob({ pieces, headers }: ReadJob): ReadJobResult {
  try {
    return { chat: readLargeChat(Buffer.concat(pieces), headers) };
  } catch (error) {
    const { condition, message, param } = toGatewayError(error);
    return { refusal: { condition, message, param } };
  }
}

/** Returns the chat request of a result. @throws GatewayError the error that the thread rejected the request with */
export function toLargeChat(answer: ReadJobResult): LargeChat {
  if ('chat' in answer) return answer.chat;
  const { condition, message, param } = answer.refusal;
  throw new GatewayError(condition, message, param === undefined ? {} : { param });
}
