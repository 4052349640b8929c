import { type HistoryMessage, type Part } from '@parley/protos/conversation/v1/conversation';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { joinTexts, mergeRuns } from '../merge-runs.ts';
import { knownParameters } from '../../domain/parameters.ts';
import { type UpstreamTurn } from '../upstream-turn.ts';
import { type FilePart, type FileParts } from './replay-files.ts';
import { type UpstreamMessage } from './message-content.ts';

const NONE: readonly FilePart[] = [];

const message = z.object({
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  refusal: z.unknown().optional(),
  reasoning_content: z.unknown().optional(),
  reasoning: z.unknown().optional(),
});

/** A whole answer of `/chat/completions`. */
export const completion = z.object({
  choices: z.array(z.object({ message, finish_reason: z.string().nullish().catch(null) })).min(1),
  usage: z.unknown().optional(),
});

/** The counts of an answer; undefined for what is none: then they are counted here. */
export function toUsage(counts: unknown): { tokensIn: number; tokensOut: number } | undefined {
  const counted = usage.safeParse(counts);
  return counted.success ? { tokensIn: counted.data.prompt_tokens, tokensOut: counted.data.completion_tokens } : undefined;
}

const count = z.int().min(0);
const usage = z.object({ prompt_tokens: count, completion_tokens: count.default(0) });

/** Whether what came is a failure and no answer. */
export function isFailure(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const { error, object } = event as { error?: unknown; object?: unknown };
  return Boolean(error) || object === 'error';
}

/** What is read of a streamed chunk. Checked by hand: a schema costs more than the chunk. */
export interface Chunk {
  choices?: ({ delta?: UpstreamMessage | null; finish_reason?: unknown } | null)[];
  usage?: unknown;
}

/** A request of `/chat/completions`, as its body says it. */
export interface CompletionRequest {
  model: string;
  messages: WireMessage[];
}

/**
 * The request of `/chat/completions` for a turn with the history it is replayed on. `preamble` is the system message before all of it, `files`
 * the contents of files by the message that they belong to.
 */
export function toCompletionRequest(
  turn: UpstreamTurn,
  history: readonly HistoryMessage[],
  preamble = '',
  files?: FileParts,
): CompletionRequest {
  const said = [...history, ...turn.messages].map((message) => toWire(message, files?.get(message) ?? NONE)).filter(isSaid);
  const alternating = mergeRuns(said, join);
  const messages = preamble ? [{ role: 'system', content: preamble }, ...alternating] : alternating;
  return {
    ...knownParameters(turn.parameters),
    model: turn.model,
    messages,
    ...(turn.stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** A message as the upstream takes it. */
export interface WireMessage {
  role: string;
  content: string | WirePart[];
}

/** Many upstreams refuse an answer that says nothing. */
function isSaid({ role, content }: WireMessage): boolean {
  return role !== 'assistant' || typeof content !== 'string' || content.trim() !== '';
}

function join({ role, content }: WireMessage, next: WireMessage): WireMessage {
  if (typeof content === 'string' && typeof next.content === 'string') return { role, content: joinTexts(content, next.content) };
  return { role, content: [...toParts(content), ...toParts(next.content)] };
}

function toParts(content: WireMessage['content']): WirePart[] {
  return typeof content !== 'string' ? content : content === '' ? [] : [{ type: 'text', text: content }];
}

function toWire({ role, text, parts }: TurnMessage | HistoryMessage, files: readonly FilePart[]): WireMessage {
  if (files.length === 0) return { role, content: parts.length === 0 ? text : parts.map(partToWire) };
  const own = parts.length > 0 ? parts.map(partToWire) : [{ type: 'text', text } as const];
  const all = [...files.map(filePartToWire), ...own];
  // Servers without pictures often take nothing but a string.
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
