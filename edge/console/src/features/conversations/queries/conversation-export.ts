import { type ConversationDetail, type Message } from '../../../live/conversations.ts';
import { saveBlob } from '../../../ui/save-file.ts';

/** A conversation as a file. */
export interface ExportFile {
  name: string;
  type: string;
  text: string;
}

/** Exports a conversation as JSON that the import of the control plane accepts. */
export function toJsonExport(
  { owner_user_id: _owner, participants: _participants, ...conversation }: ConversationDetail,
  messages: readonly Message[],
): ExportFile {
  const text = JSON.stringify({ object: 'conversation.export', version: 1, conversation, messages }, undefined, 2);
  return { name: `${fileName(conversation.title)}.json`, type: 'application/json', text };
}

/** Exports a conversation as Markdown; `authorOf` names the author of a message. */
export function toMarkdownExport(
  { title }: ConversationDetail,
  messages: readonly Message[],
  authorOf: (role: Message['role']) => string,
): ExportFile {
  const parts = messages.map(({ role, content, created_at, assets }) => {
    const files = assets.map(({ file_name }) => `- ${file_name}`).join('\n');
    return [`## ${authorOf(role)} (${created_at})`, content, files].filter(Boolean).join('\n\n');
  });
  return { name: `${fileName(title)}.md`, type: 'text/markdown', text: `${[`# ${title}`, ...parts].join('\n\n')}\n` };
}

/** What every system takes as the name of a file. */
function fileName(title: string): string {
  const name = title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return name || 'conversation';
}

/** Lets the browser save an exported file. */
export function saveExportFile({ name, type, text }: ExportFile): void {
  saveBlob(name, new Blob([text], { type }));
}
