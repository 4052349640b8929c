import { type ServerResponse } from 'node:http';
import { type TurnAccepted } from '@parley/protos/routing/v1/routing';
import { type SseOptions, SseStream } from '../../sse/sse-stream.ts';
import { type ChatDeps } from './deps.ts';
import { type HEADERS } from './turn-request.ts';

/** Whose stream it is, and what it does to the turn when its client is behind. */
export interface StreamOf extends Pick<SseOptions, 'onFull' | 'onDrain'> {
  requestId: string;
  accepted: TurnAccepted;
}

/** Sends the head of a streamed answer and its first frames. */
export function openAnswerStream(
  { streams: window, config }: Pick<ChatDeps, 'streams' | 'config'>,
  res: ServerResponse,
  { requestId, accepted, onFull, onDrain }: StreamOf,
  firstFrames: string,
): SseStream {
  const headers = { 'x-request-id': requestId, ...conversationHeader(accepted) };
  const { pingIntervalMs: pingMs, stalledClientMs: stalledMs } = config;
  return new SseStream(res, { window, headers, pingMs, stalledMs, onFull, onDrain }, firstFrames);
}

/** The header that names the conversation of an answer. */
export function conversationHeader({ conversationId }: TurnAccepted): Record<string, string> {
  return { 'x-service-conversation-id': conversationId } satisfies Record<Lowercase<typeof HEADERS.conversation>, string>;
}
