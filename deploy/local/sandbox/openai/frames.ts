import { type ThreadMessage } from '../engine/thread.ts';
import { countTokens } from '../engine/tokens.ts';
import { type Generation } from '../generation/generation.ts';
import { type StreamFrames } from '../generation/stream-generation.ts';

// Placeholder of a delta's text, at which the constant part of its frame is split.
const MARK = '\0';

/** Fields that all frames of a completion share. */
export interface CompletionHead {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly model: string;
}

export interface CompletionUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** Returns the tokens of the messages and of the reply so far. */
export function computeCompletionUsage(thread: readonly ThreadMessage[], generation: Generation): CompletionUsage {
  const prompt = thread.reduce((sum, message) => sum + countTokens(message.content), 0);
  const completion = countTokens(generation.text);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function chunk({ id, created, model }: CompletionHead, choices: unknown[], usage?: CompletionUsage | null): string {
  const body = { id, object: 'chat.completion.chunk', created, model, choices, ...(usage === undefined ? {} : { usage }) };
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** Returns the frames of a completion's stream; `usage` is defined when the client requested it. */
export function createCompletionFrames(
  head: CompletionHead,
  usage: ((generation: Generation) => CompletionUsage) | undefined,
): StreamFrames {
  const none = usage === undefined ? undefined : null;
  const choice = (delta: object, reason: string | null): unknown[] => [{ index: 0, delta, finish_reason: reason }];
  const [deltaHead = '', deltaTail = ''] = chunk(head, choice({ content: MARK }, null), none).split(JSON.stringify(MARK));
  return {
    opening: chunk(head, choice({ role: 'assistant', content: '' }, null), none),
    deltaHead,
    deltaTail,
    closing: (generation) => {
      const { reason = 'stop', error } = generation.ending ?? {};
      if (error !== undefined) return `data: ${JSON.stringify({ error: { ...error, type: 'server_error', param: null } })}\n\n`;
      const last = usage === undefined ? '' : chunk(head, [], usage(generation));
      return `${chunk(head, choice({}, reason), none)}${last}data: [DONE]\n\n`;
    },
  };
}
