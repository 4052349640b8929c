import { thingToRemember } from '../engine/memory.ts';
import { type Conversation, type Conversations } from './conversations.ts';
import { type RecordedMessage } from './entries.ts';
import { type Projects } from './projects.ts';

/** An account's memory holds this many messages; the oldest leave it. */
const KEPT = 1_000;
/** The most that one reply lists. */
const MOST_LISTED = 50;

interface Memory {
  readonly conversation: Conversation;
  readonly message: string;
}

/** Where an account was asked to remember something: by message, so that what it says is read when it is recalled. */
export class Memories {
  private readonly byAccount = new Map<string, Memory[]>();

  add(conversationId: string, messages: readonly Pick<RecordedMessage, 'id' | 'role' | 'content'>[], conversations: Conversations): void {
    const conversation = conversations.get(conversationId);
    if (conversation === undefined) return;
    for (const { id, role, content } of messages) {
      if (role !== 'user' || thingToRemember(content) === undefined) continue;
      const list = this.byAccount.get(conversation.account) ?? [];
      if (list.some(({ message }) => message === id)) continue;
      list.push({ conversation, message: id });
      if (list.length > KEPT) list.shift();
      this.byAccount.set(conversation.account, list);
    }
  }

  edited(conversationId: string, message: string, conversations: Conversations): void {
    const node = conversations.get(conversationId)?.tree.get(message);
    if (node !== undefined) this.add(conversationId, [node], conversations);
  }

  /**
   * What the user asked to remember in other conversations that share the memory of this place, oldest first. The border of a
   * `project_only` project is crossed neither way.
   */
  sharedWith(place: { account: string; id?: string; project?: string | undefined }, projects: Projects): string[] {
    const space = spaceOf(place.project, projects);
    const things = (this.byAccount.get(place.account) ?? []).flatMap(({ conversation, message }) => {
      if (conversation.id === place.id || conversation.status === 'deleted') return [];
      if (spaceOf(conversation.project, projects) !== space) return [];
      return thingToRemember(conversation.tree.get(message)?.content ?? '') ?? [];
    });
    return [...new Set(things)].slice(-MOST_LISTED);
  }
}

/** A memory space: one per `project_only` project, and one for everything else; undefined where the project is gone, which is shared with no conversation. */
function spaceOf(projectId: string | undefined, projects: Projects): string | undefined {
  if (projectId === undefined) return 'account';
  const project = projects.get(projectId);
  if (project === undefined) return undefined;
  return project.memoryPolicy === 'project_only' ? project.id : 'account';
}
