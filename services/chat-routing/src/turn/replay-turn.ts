import { type ServerStream } from '@parley/kit/rpc/multiplexed-call';
import { type TurnRecord } from '@parley/protos/conversation/v1/conversation';
import { type TurnEvent, type TurnRequest } from '@parley/protos/routing/v1/routing';

/** Answers a repeated request with the recorded result of its completed first turn, and ends the stream. */
export function replayTurn(request: TurnRequest, earlier: TurnRecord, stream: ServerStream<TurnEvent>): void {
  const { conversationId, assistantMessageId, model, text, reasoning, finishReason, tokensIn, tokensOut, assetIds } = earlier;
  const created = Math.floor((earlier.startedAt?.getTime() ?? 0) / 1000);
  stream.write({ event: { $case: 'accepted', value: { conversationId, messageId: assistantMessageId, model, created } } }, 0);
  if (request.stream && reasoning) stream.write({ event: { $case: 'reasoning', value: { texts: [reasoning] } } }, reasoning.length);
  if (request.stream && text) stream.write({ event: { $case: 'deltas', value: { texts: [text] } } }, text.length);
  if (assetIds.length > 0) stream.write({ event: { $case: 'assets', value: { ids: assetIds } } }, 0);
  const whole = request.stream ? { text: '', reasoning: '' } : { text, reasoning };
  stream.end({ event: { $case: 'completed', value: { finishReason, tokensIn, tokensOut, ...whole } } }, text.length + reasoning.length);
}
