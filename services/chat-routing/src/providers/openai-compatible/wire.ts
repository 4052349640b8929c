import { type HistoryMessage, type Part } from '@parley/protos/conversation/v1/conversation';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { type UpstreamTurn } from '../upstream-turn.ts';
import { type FilePart, type FileParts } from './replay-files.ts';

const NONE: readonly FilePart[] = [];

const usage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });

/** A whole answer of `/chat/completions`. */
export const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }), finish_reason: z.string().nullish() })).min(1),
  // Counts that are none are counted by ourselves.
  usage: usage.nullish().catch(null),
});

/** What is read of a streamed chunk. Checked by hand: a schema costs more than the chunk. */
export interface Chunk {
  choices?: ({ delta?: { content?: unknown } | null; finish_reason?: unknown } | null)[];
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  error?: unknown;
}

/**
 * The body of `/chat/completions` for a turn with the history it is replayed on; `preamble` is what the model is told before all of it, `files`
 * what it is told with messages that have some.
 */
export function bodyOf(turn: UpstreamTurn, history: readonly HistoryMessage[], preamble = '', files?: FileParts): string {
  const said = [...history, ...turn.messages].map((message) => toWire(message, files?.get(message) ?? NONE));
  const messages = preamble ? [{ role: 'system', content: preamble }, ...said] : said;
  return JSON.stringify(
    turn.stream ? { model: turn.model, messages, stream: true, stream_options: { include_usage: true } } : { model: turn.model, messages },
  );
}

function toWire({ role, text, parts }: TurnMessage | HistoryMessage, files: readonly FilePart[]) {
  if (files.length === 0) return { role, content: parts.length === 0 ? text : parts.map(partToWire) };
  const own = parts.length > 0 ? parts.map(partToWire) : [{ type: 'text', text } as const];
  const all = [...files.map(filePartToWire), ...own];
  // Servers without pictures often take nothing but a string.
  const words = all.flatMap((part) => ('text' in part ? [part.text] : []));
  return { role, content: words.length === all.length ? words.join('\n\n') : all };
}

function filePartToWire(part: FilePart) {
  return 'text' in part
    ? ({ type: 'text', text: part.text } as const)
    : ({ type: 'image_url', image_url: { url: part.imageUrl } } as const);
}

function partToWire({ content }: Part) {
  if (content?.$case === 'imageUrl') return { type: 'image_url', image_url: { url: content.value } } as const;
  return { type: 'text', text: content?.value ?? '' } as const;
}
