import { type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type EdgeConfig } from '../../config.ts';
import { type Amounts } from '../../quota/reservation.ts';

/** English has four letters to a token; other scripts have fewer, and more bytes for each. */
const BYTES_PER_TOKEN = 4;
/** What frames a message. */
const TOKENS_PER_MESSAGE = 4;

/** Tokens of a text, roughly: no tokenizer stands between a client and its answer. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** What the messages of a turn take, roughly. */
export function tokensIn({ messages }: Pick<TurnRequest, 'messages'>): number {
  return messages.reduce((sum, { text }) => sum + TOKENS_PER_MESSAGE + estimateTokens(text), 0);
}

/** What the question of a chat takes, roughly. */
export function estimatePromptTokens({ turn, encoded }: ChatPrompt): number {
  return encoded?.tokens ?? tokensIn(turn);
}

/** What a chat is expected to take of quotas, its answer included. */
export function estimateAmounts(chat: ChatPrompt, { quotaAnswerTokens }: Pick<EdgeConfig, 'quotaAnswerTokens'>): Amounts {
  return { requests: 1, tokens: estimatePromptTokens(chat) + quotaAnswerTokens };
}

/** What is asked for: messages, of a turn or on the wire already. */
export interface ChatPrompt {
  turn: Pick<TurnRequest, 'messages'>;
  encoded?: { tokens: number };
}
