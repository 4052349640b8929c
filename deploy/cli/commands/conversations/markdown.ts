import { type ConversationExport } from '../../gateway/response-schemas.ts';

const SPEAKERS: Readonly<Record<string, string>> = { system: 'System', user: 'User', assistant: 'Assistant' };

/** A conversation as a page to read. */
export function toMarkdown({ conversation, messages }: ConversationExport): string {
  const { id, title, model, created_at: createdAt } = conversation;
  const head = [`# ${title || 'Untitled conversation'}`, `- Id: ${id}\n- Model: ${model}\n- Created: ${createdAt}`];
  const said = messages.map(({ role, content, created_at: at, model: by }) => {
    const speaker = SPEAKERS[role] ?? role;
    return `## ${by ? `${speaker} (${by})` : speaker}, ${at}\n\n${content.trim() || '*(nothing)*'}`;
  });
  return `${[...head, ...said].join('\n\n')}\n`;
}
