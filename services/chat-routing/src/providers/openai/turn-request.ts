import { type HistoryMessage, type Part } from '@parley/protos/conversation/v1/conversation';
import { type TurnMessage } from '@parley/protos/routing/v1/routing';
import {
  type EasyInputMessage,
  type ResponseCreateParamsStreaming,
  type ResponseInputContent,
  type Tool,
} from 'openai/resources/responses/responses';
import { findAttachmentMessageIndex } from '../../domain/messages-after-last-answer.ts';
import { joinTexts, mergeConsecutiveMessages } from '../merge-consecutive-messages.ts';
import { type TurnFile, type UpstreamTurn } from '../upstream-turn.ts';
import { IMAGE_FORMAT } from './artifacts.ts';
import { toParameters } from './parameters.ts';

/** Messages that the upstream does not have yet, and their attached files by file id. */
export interface UnsentHistory {
  messages: readonly HistoryMessage[];
  files: ReadonlyMap<string, TurnFile>;
}

/** Tools of a request: all, or only file search for models that reject the image and code tools. */
export type ToolSelection = 'all' | 'search';

/** For a turn whose history the upstream already has. */
export const NO_HISTORY: UnsentHistory = { messages: [], files: new Map() };

const NO_FILES: readonly TurnFile[] = [];

/** Reads the whole history and its files, for a new upstream conversation. */
export async function readUnsentHistory(turn: Pick<UpstreamTurn, 'history' | 'earlierFiles'>): Promise<UnsentHistory> {
  const messages = await turn.history();
  const ids = messages.flatMap(({ files }) => files.map(({ fileId }) => fileId));
  return { messages, files: ids.length > 0 ? await turn.earlierFiles(ids) : NO_HISTORY.files };
}

/** Builds the body of `POST /responses` for a turn in an upstream conversation. */
export function toResponsesRequest(
  turn: UpstreamTurn,
  conversation: string,
  unsent: UnsentHistory,
  toolbox: ToolSelection,
): ResponseCreateParamsStreaming {
  const { model, messages, files, project, turnId } = turn;
  const asked = files.length > 0 ? findAttachmentMessageIndex(messages) : -1;
  return {
    model,
    conversation,
    input: toInput([
      ...unsent.messages.map((message) =>
        toItem(
          message,
          message.files.flatMap(({ fileId }) => unsent.files.get(fileId) ?? []),
        ),
      ),
      ...messages.map((message, at) => toItem(message, at === asked ? files : NO_FILES)),
    ]),
    ...toParameters(turn.parameters),
    // The upstream does not store instructions with the conversation, so every turn sends them.
    ...(project?.instructions && { instructions: project.instructions }),
    tools: [...(project ? [searchIn(project.upstreamRef)] : []), ...(toolbox === 'all' ? makingTools(files) : [])],
    // Only background responses can be cancelled: others continue, and cost, after their stream is closed.
    background: true,
    store: true,
    stream: true,
    // A conversation that is too long for the model loses its oldest messages instead of failing.
    truncation: 'auto',
    metadata: { parley_turn: turnId },
  };
}

function searchIn(vectorStore: string): Tool {
  return { type: 'file_search', vector_store_ids: [vectorStore] };
}

function makingTools(files: readonly TurnFile[]): Tool[] {
  const readable = files.filter((file) => !isImage(file)).map(({ upstreamRef }) => upstreamRef);
  return [
    { type: 'image_generation', output_format: IMAGE_FORMAT },
    { type: 'code_interpreter', container: { type: 'auto', ...(readable.length > 0 && { file_ids: readable }) } },
  ];
}

function toItem({ role, text, parts }: TurnMessage | HistoryMessage, files: readonly TurnFile[]): EasyInputMessage {
  if (role !== 'user') return { role: role === 'assistant' ? 'assistant' : 'system', content: text };
  const content = [...files.map(toContent), ...parts.flatMap(toImages), ...(text === '' ? [] : [{ type: 'input_text', text } as const])];
  const [only] = content;
  return { role: 'user', content: content.length === 1 && only?.type === 'input_text' ? text : content };
}

/** Removes empty answers and joins consecutive messages of the same role. */
function toInput(items: readonly EasyInputMessage[]): EasyInputMessage[] {
  return mergeConsecutiveMessages(
    items.filter(({ role, content }) => role !== 'assistant' || content !== ''),
    join,
  );
}

function join({ role, content }: EasyInputMessage, next: EasyInputMessage): EasyInputMessage {
  if (typeof content === 'string' && typeof next.content === 'string') return { role, content: joinTexts(content, next.content) };
  return { role, content: [...toParts(content), ...toParts(next.content)] };
}

function toParts(content: EasyInputMessage['content']): ResponseInputContent[] {
  return typeof content !== 'string' ? content : content === '' ? [] : [{ type: 'input_text', text: content }];
}

function toContent(file: TurnFile): ResponseInputContent {
  const { upstreamRef: file_id } = file;
  return isImage(file) ? { type: 'input_image', file_id, detail: 'auto' } : { type: 'input_file', file_id };
}

function toImages({ content }: Part): ResponseInputContent[] {
  return content?.$case === 'imageUrl' ? [{ type: 'input_image', image_url: content.value, detail: 'auto' }] : [];
}

function isImage({ mimeType }: TurnFile): boolean {
  return mimeType.startsWith('image/');
}
