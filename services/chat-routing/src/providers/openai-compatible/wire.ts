import { type HistoryMessage, type Part } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { pickKnownParameters } from '../../domain/sampling-parameters.ts';
import { joinTexts, mergeConsecutiveMessages } from '../merge-consecutive-messages.ts';
import { type UpstreamTurn } from '../upstream-turn.ts';
import { type AnswerMessage } from './message-content.ts';
import { type FilePart, type FileParts } from './replay-files.ts';

const NONE: readonly FilePart[] = [];

/** Additional fields of a streaming request. */
const STREAMED = { stream: true, stream_options: { include_usage: true } };

/** The fields of a complete (not streamed) answer of `/chat/completions` that are read. */
export interface ChatCompletion {
  message: AnswerMessage;
  finishReason: string;
  usage: unknown;
  model: unknown;
}

/** Reads a complete answer, without a schema for speed. Throws PROVIDER_BAD_ANSWER for anything else. */
export function parseChatCompletion(answer: unknown): ChatCompletion {
  const { choices, usage, model } = toFields(answer);
  if (!Array.isArray(choices) || choices.length === 0) throw noCompletion();
  const [first] = (choices as unknown[]).map(readChoice);
  if (!first) throw noCompletion();
  return { message: first.message, finishReason: first.finishReason, usage, model };
}

function readChoice(choice: unknown): Pick<ChatCompletion, 'message' | 'finishReason'> {
  const { message, finish_reason: reason } = toFields(choice);
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw noCompletion();
  const { content } = message as AnswerMessage;
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content)) throw noCompletion();
  return { message, finishReason: typeof reason === 'string' ? reason : 'stop' };
}

function noCompletion(): GatewayError {
  return new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that makes no sense');
}

/** Converts the `usage` of an answer; undefined when it has no valid counts, and the gateway counts tokens itself. */
export function toUsage(counts: unknown): { tokensIn: number; tokensOut: number } | undefined {
  const { prompt_tokens: tokensIn, completion_tokens: tokensOut = 0 } = toFields(counts);
  return isCount(tokensIn) && isCount(tokensOut) ? { tokensIn, tokensOut } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

type Fields = Partial<Record<'choices' | 'usage' | 'model' | 'message' | 'finish_reason' | 'prompt_tokens' | 'completion_tokens', unknown>>;

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Whether a response or event is an error object rather than an answer. */
export function isErrorObject(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const { error, object } = event as { error?: unknown; object?: unknown };
  return Boolean(error) || object === 'error';
}

/** The fields of a streamed chunk that are read. Checked by hand, because a schema costs more than parsing the chunk. */
export interface ChatCompletionChunk {
  choices?: ({ delta?: AnswerMessage | null; finish_reason?: unknown } | null)[];
  usage?: unknown;
  model?: unknown;
}

/** The body of a `/chat/completions` request. */
export interface ChatCompletionRequest {
  model: string;
  messages: ChatCompletionMessage[];
}

/**
 * Builds the `/chat/completions` body for a turn and its replayed history. `preamble`: the system message before all others; `files`: file
 * contents by message.
 */
export function toChatCompletionRequest(
  turn: UpstreamTurn,
  history: readonly HistoryMessage[],
  preamble = '',
  files?: FileParts,
): ChatCompletionRequest {
  const said: ChatCompletionMessage[] = [];
  for (const message of history) addSaid(said, toWire(message, files?.get(message) ?? NONE));
  for (const message of turn.messages) addSaid(said, toWire(message, files?.get(message) ?? NONE));
  const alternating = mergeConsecutiveMessages(said, join);
  const messages = preamble ? [{ role: 'system', content: preamble }, ...alternating] : alternating;
  const request = { ...pickKnownParameters(turn.parameters), model: turn.model, messages };
  return turn.stream ? Object.assign(request, STREAMED) : request;
}

type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** A message of a `/chat/completions` request. */
export interface ChatCompletionMessage {
  role: string;
  content: string | WirePart[];
}

/** Adds a message unless it is a blank answer, which many upstreams reject. */
function addSaid(said: ChatCompletionMessage[], message: ChatCompletionMessage): void {
  const { role, content } = message;
  if (role !== 'assistant' || typeof content !== 'string' || content.trim() !== '') said.push(message);
}

function join({ role, content }: ChatCompletionMessage, next: ChatCompletionMessage): ChatCompletionMessage {
  if (typeof content === 'string' && typeof next.content === 'string') return { role, content: joinTexts(content, next.content) };
  return { role, content: [...toParts(content), ...toParts(next.content)] };
}

function toParts(content: ChatCompletionMessage['content']): WirePart[] {
  return typeof content !== 'string' ? content : content === '' ? [] : [{ type: 'text', text: content }];
}

/** Total characters of the texts and image URLs of a request. */
export function countRequestCharacters({ messages }: ChatCompletionRequest): number {
  return messages.reduce((size, message) => size + sizeOf(message), 0);
}

function sizeOf({ content }: ChatCompletionMessage): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((size, part) => size + (part.type === 'text' ? part.text.length : part.image_url.url.length), 0);
}

function toWire({ role, text, parts }: TurnMessage | HistoryMessage, files: readonly FilePart[]): ChatCompletionMessage {
  if (files.length === 0) return { role, content: parts.length === 0 ? text : parts.map(partToWire) };
  const own = parts.length > 0 ? parts.map(partToWire) : [{ type: 'text', text } as const];
  const all = [...files.map(filePartToWire), ...own];
  // Servers without image support often accept only a string.
  const words = all.flatMap((part) => ('text' in part ? [part.text] : []));
  return { role, content: words.length === all.length ? words.join('\n\n') : all };
}

function filePartToWire(part: FilePart) {
  if ('text' in part) return { type: 'text', text: part.text } as const;
  return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.bytes.toString('base64')}` } } as const;
}

function partToWire({ content }: Part) {
  if (content?.$case === 'imageUrl') return { type: 'image_url', image_url: { url: content.value } } as const;
  return { type: 'text', text: content?.value ?? '' } as const;
}
