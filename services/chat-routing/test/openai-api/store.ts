import { randomBytes } from 'node:crypto';
import { type Message } from 'openai/resources/conversations/conversations';
import { type ConversationItem } from 'openai/resources/conversations/items';
import { type FileObject } from 'openai/resources/files';
import { type Response, type ResponseOutputItem } from 'openai/resources/responses/responses';
import { type VectorStoreFile } from 'openai/resources/vector-stores/files';
import { type InputItem } from './requests.ts';

/** An answer as the API keeps it; `stop` ends one that is being made. */
export interface KeptResponse {
  response: Omit<Response, 'output_text'>;
  stop: () => void;
}

/** A conversation as the API keeps it. */
export interface KeptConversation {
  items: (ConversationItem | ResponseOutputItem)[];
  /** An answer is being made in it. */
  isLocked: boolean;
}

/** What an account of the API has. */
export class Store {
  readonly conversations = new Map<string, KeptConversation>();
  readonly responses = new Map<string, KeptResponse>();
  readonly files = new Map<string, FileObject & { content: Buffer }>();
  readonly vectorStores = new Map<string, { name: string; files: Map<string, VectorStoreFile['status']> }>();
  /** Files that code wrote, by `container/file`. */
  readonly containers = new Map<string, Buffer>();
}

/** A new id, as the API writes them. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** A message of the input as an item of its conversation. */
export function toItem({ role, content }: InputItem): Message {
  const parts: Message['content'] =
    typeof content === 'string'
      ? [role === 'assistant' ? { type: 'output_text', text: content, annotations: [] } : { type: 'input_text', text: content }]
      : content;
  return { id: newId('msg'), type: 'message', role, status: 'completed', content: parts };
}
