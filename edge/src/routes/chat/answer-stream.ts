import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { type ServerResponse } from 'node:http';
import { type SseOptions, SseStream } from '../../sse/sse-stream.ts';
import { type ChatDeps } from './deps.ts';
import { type ROUTING_HEADER_NAMES } from './parse-chat.ts';

/** The turn that a stream answers, and the callbacks for a client that is slower than the turn. */
export interface AnswerStreamOptions extends Pick<SseOptions, 'onFull' | 'onDrain'> {
  requestId: string;
  accepted: TurnAccepted;
}

/** Starts a streamed answer: sends its headers and its first frames, and returns the stream. */
export function openAnswerStream(
  { streams: flushScheduler, config }: Pick<ChatDeps, 'streams' | 'config'>,
  res: ServerResponse,
  { requestId, accepted, onFull, onDrain }: AnswerStreamOptions,
  firstFrames: string,
): SseStream {
  const headers = { 'x-request-id': requestId, ...toConversationHeaders(accepted) };
  const { pingIntervalMs: pingMs, stalledClientMs: stalledMs } = config;
  return new SseStream(res, { flushScheduler, headers, pingMs, stalledMs, onFull, onDrain }, firstFrames);
}

/** Returns the header with the conversation id of an answer. */
export function toConversationHeaders({ conversationId }: TurnAccepted): Record<string, string> {
  return { 'x-service-conversation-id': conversationId } satisfies Record<Lowercase<typeof ROUTING_HEADER_NAMES.conversation>, string>;
}
