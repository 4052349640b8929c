import { type Call } from '@parley/kit/rpc/call';
import { type MultiplexedHandler, toMultiplexedHandler } from '@parley/kit/rpc/multiplexed-call';
import { type RecordRequest, type RecordResponse } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { beginTurn } from './begin-turn.ts';
import { endTurn } from './end-turn.ts';
import { listHistory } from './list-history.ts';
import { moveTurn } from './move-turn.ts';
import { openConversation } from './open-conversation.ts';
import { savePartial } from './save-partial.ts';

/** RPC Record, the hot path of turns: dispatches each request of the multiplexed stream to its handler. */
export function record(deps: Deps): MultiplexedHandler<RecordRequest, RecordResponse> {
  return toMultiplexedHandler(async ({ question }, call) => ({ answer: await ask(deps, question, call) }), weigh);
}

async function ask(deps: Deps, question: RecordRequest['question'], call: Call): Promise<RecordResponse['answer']> {
  switch (question?.$case) {
    case 'open':
      return { $case: 'binding', value: await openConversation(deps, question.value, call) };
    case 'history':
      return { $case: 'history', value: await listHistory(deps, question.value, call) };
    case 'begin':
      return { $case: 'begun', value: await beginTurn(deps, question.value, call) };
    case 'end':
      return { $case: 'closed', value: await endTurn(deps, question.value, call) };
    case 'move':
      return { $case: 'moved', value: await moveTurn(deps, question.value, call) };
    case 'partial':
      return { $case: 'saved', value: await savePartial(deps, question.value, call) };
    case undefined:
      throw new GatewayError('NOT_IMPLEMENTED', 'this release does not know the request');
  }
}

/** Size of a response in characters, for flow control; only a history can be large. */
function weigh({ answer }: RecordResponse): number {
  if (answer?.$case !== 'history') return 0;
  let weight = 0;
  for (const { text, parts } of answer.value.messages) {
    weight += text.length;
    for (const { content } of parts) weight += content?.value.length ?? 0;
  }
  return weight;
}
