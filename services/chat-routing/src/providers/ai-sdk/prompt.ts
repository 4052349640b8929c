import { type LanguageModelV3FilePart, type LanguageModelV3Prompt, type LanguageModelV3TextPart } from '@ai-sdk/provider';
import { type HistoryMessage, type Part } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import { mergeConsecutiveMessages } from '../merge-consecutive-messages.ts';
import { type FilePart, type FileParts } from '../openai-compatible/replay-files.ts';
import { isNativeMimeType, type SdkProvider } from './sdk-provider.ts';

type PromptPart = LanguageModelV3TextPart | LanguageModelV3FilePart;
type Message = TurnMessage | HistoryMessage;

/** Input of `toPrompt`. */
export interface PromptInput {
  /** Oldest first. */
  messages: readonly Message[];
  /** System text before all messages; may be empty. */
  preamble: string;
  /** File contents by message; undefined without files. */
  files: FileParts | undefined;
}

/** Placeholder for a missing first user message, as in some imported conversations: models require the user to begin. */
const NO_QUESTION = '(The conversation begins with the answer.)';
const DATA_URL = /^data:([^;,]+);base64,/;

/**
 * Builds a prompt that every provider accepts: the system messages merged at the beginning, where most providers require them, then
 * alternating user and assistant messages. Throws INVALID_REQUEST for an image URL when the provider does not fetch images.
 */
export function toPrompt(kind: SdkProvider, { messages, preamble, files }: PromptInput): LanguageModelV3Prompt {
  const system = [preamble, ...messages.filter(isSystem).map(readText)].filter((text) => text !== '');
  const dialog = messages
    .filter((message) => !isSystem(message))
    .map((message) => ({ role: message.role, parts: toParts(kind, message, files?.get(message) ?? []) }))
    .filter(({ parts }) => parts.length > 0);
  const merged = mergeConsecutiveMessages(dialog, ({ role, parts }, next) => ({ role, parts: [...parts, ...next.parts] }));
  const [first] = merged;
  const opening = first?.role === 'assistant' ? [{ role: 'user', parts: [{ type: 'text', text: NO_QUESTION } as const] }] : [];
  return [
    ...(system.length > 0 ? [{ role: 'system' as const, content: system.join('\n\n') }] : []),
    ...[...opening, ...merged].map(({ role, parts }) =>
      role === 'assistant'
        ? { role: 'assistant' as const, content: parts.filter((part) => part.type === 'text') }
        : { role: 'user' as const, content: [...parts] },
    ),
  ];
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function readText({ text, parts }: Message): string {
  if (parts.length === 0) return text;
  return parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n');
}

function toParts(kind: SdkProvider, message: Message, files: readonly FilePart[]): PromptPart[] {
  if (message.role === 'assistant') return toText(readText(message));
  const own = message.parts.length > 0 ? message.parts.flatMap((part) => toPart(kind, part)) : toText(message.text);
  return [...files.map(toFile), ...own];
}

function toPart(kind: SdkProvider, { content }: Part): PromptPart[] {
  if (content?.$case !== 'imageUrl') return toText(content?.value ?? '');
  // Models without vision: the image is dropped, as in other adapters.
  if (!isNativeMimeType(kind, 'image/png')) return [];
  const { value } = content;
  const [whole, mediaType] = DATA_URL.exec(value) ?? [];
  if (whole !== undefined && mediaType !== undefined) return [{ type: 'file', mediaType, data: value.slice(whole.length) }];
  if (!kind.takesImageUrls)
    throw new GatewayError('INVALID_REQUEST', 'the provider of this account fetches no images: send them as data: URLs', {
      param: 'messages',
    });
  return [{ type: 'file', mediaType: 'image/*', data: new URL(value) }];
}

function toFile(part: FilePart): PromptPart {
  if ('text' in part) return { type: 'text', text: part.text };
  return { type: 'file', mediaType: part.mimeType, filename: part.name, data: part.bytes };
}

/** Leaves out blank texts, which providers reject. */
function toText(text: string): LanguageModelV3TextPart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}
