import { type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Response,
  type ResponseOutputItem,
  type ResponseOutputMessage,
  type ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { answer } from './model.ts';
import { type ResponseCreate } from './requests.ts';
import { type KeptConversation, newId, type Store, toItem } from './store.ts';

type Event = ResponseStreamEvent extends infer One ? (One extends unknown ? Omit<One, 'sequence_number'> : never) : never;
type Kept = Omit<Response, 'output_text'>;

/** How the answers of the API go. */
export interface Pace {
  /** Between two pieces of text, in milliseconds. */
  pieceMs: number;
  /** Bytes written in place of an event, by its type: a fault. */
  instead?: ((event: Event, res: ServerResponse) => boolean) | undefined;
}

/**
 * Streams an answer as the API does. Items are added to the conversation when the answer is completed, and only then; closing the stream stops
 * nothing, cancelling does.
 */
export async function respond(store: Store, request: ResponseCreate, conversation: KeptConversation, res: ServerResponse, pace: Pace) {
  const input = request.input.map(toItem);
  const before = conversation.items;
  const response = newResponse(request);
  const stop = new AbortController();
  store.responses.set(response.id, { response, stop: () => stop.abort() });
  conversation.isLocked = true;
  // The model sees what is asked beside what the conversation has.
  conversation.items = [...before, ...input];
  const made = answer(store, request);
  conversation.items = before;
  let sequence_number = 0;
  const send = (event: Event) => {
    if (res.destroyed || res.writableEnded || pace.instead?.(event, res)) return;
    res.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: sequence_number++ })}\n\n`);
  };
  const done = (item: ResponseOutputItem) => {
    response.output.push(item);
    send({ type: 'response.output_item.done', item, output_index: response.output.length - 1 });
  };
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  try {
    send({ type: 'response.created', response } as Event);
    response.status = 'in_progress';
    send({ type: 'response.in_progress', response } as Event);
    for (const result of made.images) done({ id: newId('ig'), type: 'image_generation_call', status: 'completed', result });
    const message: ResponseOutputMessage = { id: newId('msg'), type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    send({ type: 'response.output_item.added', item: message, output_index: response.output.length });
    for (const delta of made.pieces) {
      if (pace.pieceMs > 0) await pause(pace.pieceMs, undefined, { signal: stop.signal });
      if (stop.signal.aborted) break;
      const at = { item_id: message.id, output_index: response.output.length, content_index: 0 };
      send({ type: 'response.output_text.delta', delta, logprobs: [], ...at });
    }
    stop.signal.throwIfAborted();
    const text = made.pieces.join('');
    done({ ...message, status: 'completed', content: [{ type: 'output_text', text, annotations: made.annotations }] });
    Object.assign(response, { status: 'completed', usage: toUsage(request, text) });
    conversation.items = [...conversation.items, ...input, ...response.output];
    conversation.isLocked = false;
    send({ type: 'response.completed', response } as Event);
  } catch {
    response.status = 'cancelled';
  }
  conversation.isLocked = false;
  res.end();
}

function newResponse({ model, conversation, background = false, metadata, tools = [] }: ResponseCreate): Kept {
  return {
    ...{ id: newId('resp'), object: 'response', created_at: Math.floor(Date.now() / 1000), status: 'queued', background, model },
    ...{
      output: [],
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: metadata ?? null,
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 1,
    },
    ...{ tool_choice: 'auto', tools, conversation: { id: conversation } },
  };
}

function toUsage({ input }: ResponseCreate, text: string): NonNullable<Kept['usage']> {
  const [input_tokens, output_tokens] = [input.length * 5, text.split(' ').length];
  return {
    ...{ input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
    ...{ input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  };
}
