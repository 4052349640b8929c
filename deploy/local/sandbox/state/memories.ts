import { parseMemoryRequest } from '../engine/memory.ts';
import { type Conversation, type Conversations } from './conversations.ts';
import { type Projects } from './projects.ts';
import { type RecordedMessage } from './state-changes.ts';

/** Maximum number of messages in an account's memory; the oldest are dropped. */
const KEPT = 1_000;
/** Maximum number of things that one reply lists. */
const MOST_LISTED = 50;

interface Memory {
  readonly conversation: Conversation;
  readonly message: string;
}

/** Messages in which an account was asked to remember something; their text is read when a reply lists them. */
export class Memories {
  private readonly byAccount = new Map<string, Memory[]>();

  add(conversationId: string, messages: readonly Pick<RecordedMessage, 'id' | 'role' | 'content'>[], conversations: Conversations): void {
    const conversation = conversations.get(conversationId);
    if (conversation === undefined) return;
    for (const { id, role, content } of messages) {
      if (role !== 'user' || parseMemoryRequest(content) === undefined) continue;
      const list = this.byAccount.get(conversation.account) ?? [];
      if (list.some(({ message }) => message === id)) continue;
      list.push({ conversation, message: id });
      if (list.length > KEPT) list.shift();
      this.byAccount.set(conversation.account, list);
    }
  }

  addEditedMessage(conversationId: string, message: string, conversations: Conversations): void {
    const node = conversations.get(conversationId)?.tree.get(message);
    if (node !== undefined) this.add(conversationId, [node], conversations);
  }

  /**
   * Returns what the user asked to remember in other conversations that share the memory of `place`, oldest first. Memories do not enter
   * or leave a `project_only` project.
   */
  listShared(place: { account: string; id?: string; project?: string | undefined }, projects: Projects): string[] {
    const space = spaceOf(place.project, projects);
    const things = (this.byAccount.get(place.account) ?? []).flatMap(({ conversation, message }) => {
      if (conversation.id === place.id || conversation.status === 'deleted') return [];
      if (spaceOf(conversation.project, projects) !== space) return [];
      return parseMemoryRequest(conversation.tree.get(message)?.content ?? '') ?? [];
    });
    return [...new Set(things)].slice(-MOST_LISTED);
  }
}

/**
 * Returns the memory space of a project: one per `project_only` project, and one for everything else; undefined for a deleted project,
 * whose memory is not shared.
 */
function spaceOf(projectId: string | undefined, projects: Projects): string | undefined {
  if (projectId === undefined) return 'account';
  const project = projects.get(projectId);
  if (project === undefined) return undefined;
  return project.memoryPolicy === 'project_only' ? project.id : 'account';
}
