import { toUniqueLabels, toArtifactReply } from '../engine/artifacts/artifact-reply.ts';
import { parseArtifactOrders } from '../engine/artifacts/parse-artifact-orders.ts';
import { generateReply, requestsCapitals } from '../engine/generate-reply.ts';
import { isRecallRequest } from '../engine/memory.ts';
import { listUserMessages, type ThreadMessage } from '../engine/thread.ts';
import { type Conversation } from '../state/conversations.ts';
import { nodesToThread, type TreeNode } from '../state/message-tree.ts';
import { type SandboxState } from '../state/sandbox-state.ts';
import { type RecordedArtifact, type RecordedMessage } from '../state/state-changes.ts';
import { newId } from './conversations.ts';
import { type PreparedTurn } from './prepare-turn.ts';

/** The planned reply of a turn. */
export interface PlannedReply {
  readonly text: string;
  readonly artifacts: RecordedArtifact[];
}

/**
 * Plans the reply to a path of messages: artifacts if the last message orders any, else text. The instructions of a project precede those
 * of the thread.
 */
export function planReply(
  sandboxState: SandboxState,
  conversation: Conversation,
  path: readonly TreeNode[],
  prepared: PreparedTurn,
): PlannedReply {
  const { account, id, project } = conversation;
  const instructions = (project === undefined ? undefined : sandboxState.projects.get(project)?.instructions) ?? '';
  const system: ThreadMessage[] = instructions === '' ? [] : [{ role: 'system', content: instructions, images: 0 }];
  const thread = [...system, ...nodesToThread(path, prepared.contents)];
  const asked = listUserMessages(thread).at(-1)?.content ?? '';
  const recipes = parseArtifactOrders(asked);
  if (recipes.length > 0) {
    const labelled = toUniqueLabels(recipes);
    const artifacts = labelled.map(({ kind, name, mimeType, recipe }) => ({ id: newId('sa'), kind, name, mime_type: mimeType, recipe }));
    return { text: toArtifactReply(labelled, requestsCapitals(thread)), artifacts };
  }
  const memories = isRecallRequest(asked) ? sandboxState.memories.listShared({ account, id, project }, sandboxState.projects) : [];
  return { text: generateReply(thread, { projectFiles: prepared.projectFiles, memories }), artifacts: [] };
}

/** Returns the new messages of a turn as a chain below `parentId`. */
export function toRecordedMessages(
  parentId: string | null,
  messages: readonly {
    role: RecordedMessage['role'];
    content: string;
    images?: string[] | undefined;
    attachments?: string[] | undefined;
  }[],
  at: number,
): RecordedMessage[] {
  let parent = parentId;
  return messages.map(({ role, content, images = [], attachments = [] }) => {
    const files = attachments.length === 0 ? {} : { files: attachments };
    const message = { id: newId('sm'), parent_id: parent, role, content, images: images.length, ...files, at };
    parent = message.id;
    return message;
  });
}
