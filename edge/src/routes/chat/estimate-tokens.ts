import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type EdgeConfig } from '../../config.ts';
import { type MetricAmounts } from '../../quota/quota-reservation.ts';

/** English has about four letters per token; other scripts have fewer letters per token, and more bytes per letter. */
const BYTES_PER_TOKEN = 4;
/** Tokens that frame each message. */
const TOKENS_PER_MESSAGE = 4;

/** Estimates the tokens of a text from its UTF-8 length, without a tokenizer. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Estimates the tokens of the messages of a turn; images are not counted. */
export function estimateMessageTokens({ messages }: Pick<TurnRequest, 'messages'>): number {
  return messages.reduce((sum, { text }) => sum + TOKENS_PER_MESSAGE + estimateTokens(text), 0);
}

/** Estimates the prompt tokens of a chat request. */
export function estimatePromptTokens({ turn, encoded }: ChatPrompt): number {
  return encoded?.tokens ?? estimateMessageTokens(turn);
}

/** Returns the amounts to reserve for a chat request: one request, and its prompt tokens plus the configured tokens of an answer. */
export function estimateChatAmounts(chat: ChatPrompt, { quotaAnswerTokens }: Pick<EdgeConfig, 'quotaAnswerTokens'>): MetricAmounts {
  return { requests: 1, tokens: estimatePromptTokens(chat) + quotaAnswerTokens };
}

/** The prompt of a chat: the messages of a turn, or the token estimate of messages that are already encoded. */
export interface ChatPrompt {
  turn: Pick<TurnRequest, 'messages'>;
  encoded?: { tokens: number };
}
