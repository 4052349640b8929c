import { describe, expect, it } from '@jest/globals';
import { type ConversationDetail, type Message } from '../../../live/conversations.ts';
import { toJsonExport, toMarkdownExport } from './conversation-export.ts';

const CONVERSATION = {
  id: 'c1',
  title: 'Trip / to: the lighthouse?',
  owner_user_id: 'u1',
  participants: [],
} as unknown as ConversationDetail;
const message = (role: Message['role'], content: string, files: string[] = []) =>
  ({ role, content, created_at: '2026-01-01T00:00:00.000Z', assets: files.map((file_name) => ({ file_name })) }) as Message;
const MESSAGES = [message('user', 'Where?'), message('assistant', 'In **Spain**.', ['map.png'])];

describe('a conversation as a file', () => {
  it('is JSON that an import takes, without who takes part', () => {
    const { name, text } = toJsonExport(CONVERSATION, MESSAGES);
    expect(name).toBe('Trip-to-the-lighthouse.json');
    expect(JSON.parse(text)).toMatchObject({ object: 'conversation.export', version: 1, conversation: { id: 'c1' }, messages: [{}, {}] });
    expect(text).not.toContain('u1');
  });

  it('is Markdown to read', () => {
    const { name, text } = toMarkdownExport(CONVERSATION, MESSAGES, (role) => (role === 'user' ? 'You' : 'Assistant'));
    expect(name).toBe('Trip-to-the-lighthouse.md');
    expect(text).toContain('## Assistant (2026-01-01T00:00:00.000Z)\n\nIn **Spain**.\n\n- map.png');
  });

  it('has a name without a title', () => {
    expect(toJsonExport({ ...CONVERSATION, title: '' }, []).name).toBe('conversation.json');
  });
});
