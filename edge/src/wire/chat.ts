import { type TurnAccepted, type TurnCompleted } from '@parley/protos/routing/v1/routing';
import { type z } from 'zod';
import { type asset } from './asset.ts';
import { type LifecycleEvent } from './lifecycle-event.ts';

const FINISH_REASONS = new Set(['stop', 'length', 'content_filter']);

/** The `finish_reason` in OpenAI's values; other values of an upstream become `stop`. */
function finishReason(reason: string): string {
  return FINISH_REASONS.has(reason) ? reason : 'stop';
}

/** The `usage` object of a completed turn. */
function chatUsage({ tokensIn, tokensOut }: TurnCompleted) {
  return { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut };
}

/** Returns the body of a non-streaming answer; `assets` only when the upstream generated some. */
export function toChatCompletion(accepted: TurnAccepted, completed: TurnCompleted, assets?: readonly z.input<typeof asset>[]) {
  return {
    id: `chatcmpl-${accepted.messageId}`,
    object: 'chat.completion',
    created: accepted.created,
    model: accepted.model,
    conversation_id: accepted.conversationId,
    message_id: accepted.messageId,
    choices: [{ index: 0, message: messageOf(completed), finish_reason: finishReason(completed.finishReason) }],
    usage: chatUsage(completed),
    ...(assets && { assets }),
  };
}

function messageOf({ text, reasoning }: TurnCompleted) {
  return { role: 'assistant', content: text, ...(reasoning && { reasoning_content: reasoning }) };
}

/** Writes the SSE frames of one streamed answer; the parts that all frames share are built once. */
export class ChatChunkWriter {
  readonly #head: string;
  readonly #deltaHead: string;
  readonly #reasoningHead: string;
  readonly #accepted: TurnAccepted;

  constructor(accepted: TurnAccepted) {
    this.#accepted = accepted;
    const { messageId, created, model } = accepted;
    this.#head = `data: {"id":"chatcmpl-${messageId}","object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)}`;
    this.#deltaHead = `${this.#head},"choices":[{"index":0,"delta":{"content":`;
    this.#reasoningHead = `${this.#head},"choices":[{"index":0,"delta":{"reasoning_content":`;
  }

  /** The first frame: the role, and the ids of conversation and message. */
  first(): string {
    const { conversationId, messageId } = this.#accepted;
    return `${this.#head},"conversation_id":"${conversationId}","message_id":"${messageId}","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n`;
  }

  deltas(texts: readonly string[]): string {
    return framesOf(this.#deltaHead, texts);
  }

  /** Frames of reasoning, which is not part of the text. */
  reasoning(texts: readonly string[]): string {
    return framesOf(this.#reasoningHead, texts);
  }

  /** The final frames: end of the text, `response.completed`, the usage if requested, and `[DONE]`. */
  completed(completed: TurnCompleted, includeUsage: boolean): string {
    return this.textEnd(completed) + this.lifecycle({ type: 'response.completed' }) + this.done(completed, includeUsage);
  }

  /** The frame with the `finish_reason`. */
  textEnd({ finishReason: reason }: TurnCompleted): string {
    return this.#empty(JSON.stringify(finishReason(reason)));
  }

  /** A frame with a lifecycle event. */
  lifecycle(event: LifecycleEvent): string {
    return this.#empty('null', `,"lifecycle_event":${JSON.stringify(event)}`);
  }

  /** The usage frame if requested, and `[DONE]`. */
  done(completed: TurnCompleted, includeUsage: boolean): string {
    const usage = includeUsage ? `${this.#head},"choices":[],"usage":${JSON.stringify(chatUsage(completed))}}\n\n` : '';
    return `${usage}data: [DONE]\n\n`;
  }

  /** The frames of a failure: `response.failed`, the error as a separate frame (SDKs throw only on that one), and `[DONE]`. */
  failed(envelope: { error: { code: string; message: string; retryable: boolean | null } }): string {
    const { code, message, retryable } = envelope.error;
    const event = JSON.stringify({ type: 'response.failed', error: { code, message, retryable } });
    return `${this.#empty('"error"', `,"lifecycle_event":${event}`)}data: ${JSON.stringify(envelope)}\n\ndata: [DONE]\n\n`;
  }

  #empty(finish: string, extra = ''): string {
    return `${this.#head},"choices":[{"index":0,"delta":{},"finish_reason":${finish}}]${extra}}\n\n`;
  }
}

function framesOf(head: string, texts: readonly string[]): string {
  let frames = '';
  for (const text of texts) frames += `${head}${JSON.stringify(text)}},"finish_reason":null}]}\n\n`;
  return frames;
}
