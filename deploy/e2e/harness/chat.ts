import { z } from 'zod';
import { type Answer, call, open } from './http.ts';
import { type Gateway } from './parley.ts';

/** A turn to ask for; `say` is one user message. */
export interface Turn {
  key?: string | undefined;
  say?: string;
  conversation?: string | undefined;
  account?: string;
  headers?: Record<string, string>;
  /** Fields beside, or instead of, model and messages. */
  body?: Record<string, unknown>;
  signal?: AbortSignal;
}

export const CHAT = '/v1/chat/completions';

/** The request that asks for a turn. */
function turnRequest(gateway: Gateway, { key = gateway.apiKey, say = 'hello', conversation, account, headers, body, signal }: Turn) {
  return {
    key,
    headers: {
      ...(conversation !== undefined && { 'x-service-conversation-id': conversation }),
      ...(account !== undefined && { 'x-service-upstream-account': account }),
      ...headers,
    },
    body: { model: 'auto', messages: [{ role: 'user', content: say }], ...body },
    ...(signal && { signal }),
  };
}

/** Asks for a whole answer. */
export function ask(gateway: Gateway, turn: Turn = {}): Promise<Answer> {
  return call(gateway, 'POST', CHAT, turnRequest(gateway, turn));
}

/** Asks for a streamed answer; the body is the caller's to read. */
export function stream(gateway: Gateway, turn: Turn = {}): Promise<Response> {
  return open(gateway, 'POST', CHAT, turnRequest(gateway, { ...turn, body: { stream: true, ...turn.body } }));
}

const completion = z.looseObject({
  conversation_id: z.uuid(),
  message_id: z.uuid(),
  choices: z.tuple([
    z.object({ index: z.literal(0), message: z.object({ role: z.literal('assistant'), content: z.string() }), finish_reason: z.string() }),
  ]),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
});

/** What was said in a whole answer, and where. Throws when the answer is a refusal. */
export function said({ status, json, text }: Answer): { text: string; conversation: string } {
  if (status !== 200) throw new Error(`the turn was refused with ${status}: ${text}`);
  const { conversation_id, choices } = completion.parse(json);
  return { text: choices[0].message.content, conversation: conversation_id };
}
