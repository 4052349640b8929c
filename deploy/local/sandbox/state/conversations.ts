import { countTokens } from '../engine/tokens.ts';
import { type Generation } from '../generation/generation.ts';
import { INTERRUPTED_ERROR, MessageTree, type TreeNode } from './message-tree.ts';
import { type StateChangeOf, type RecordedArtifact, type RecordedMessage } from './state-changes.ts';

export type ConversationStatus = StateChangeOf<'status'>['status'];

/** One turn, identified by the id that its client chose. */
export interface Turn {
  readonly conversationId: string;
  readonly replyId: string;
  readonly promptId: string | null;
  /** Artifacts of the reply. */
  readonly artifacts: readonly RecordedArtifact[];
  /** Set while the reply is being generated. */
  generation?: Generation | undefined;
}

/** A conversation of one account. */
export interface Conversation {
  readonly id: string;
  readonly account: string;
  readonly model: string;
  readonly title: string;
  /** Epoch ms. */
  readonly at: number;
  /** Id of its project; absent without one. */
  readonly project?: string | undefined;
  readonly tree: MessageTree;
  /** Turns by client turn id. */
  readonly turns: Map<string, Turn>;
  status: ConversationStatus;
}

/** Converts a message to a node of its tree. */
export function toTreeNode(message: RecordedMessage, origin: Pick<TreeNode, 'clientTurnId' | 'model'> = {}): TreeNode {
  const { id, role, content, images, files = [], at } = message;
  return { id, parentId: message.parent_id, role, content, images, files, at, tokens: countTokens(content), ...origin };
}

/** All conversations, and the turns that created them. */
export class Conversations {
  private readonly byId = new Map<string, Conversation>();
  private readonly byAccount = new Map<string, Conversation[]>();
  private readonly openings = new Map<string, Conversation>();

  get(id: string): Conversation | undefined {
    return this.byId.get(id);
  }

  listByAccount(account: string): readonly Conversation[] {
    return this.byAccount.get(account) ?? [];
  }

  /** Returns the conversation that a turn of this account created; undefined for other turns. */
  findByOpeningTurn(account: string, clientTurnId: string): Conversation | undefined {
    return this.openings.get(JSON.stringify([account, clientTurnId]));
  }

  create(entry: StateChangeOf<'conversation'>): void {
    const { id, account, model, title, project, at } = entry;
    const conversation: Conversation = {
      id,
      account,
      model,
      title,
      project,
      at,
      status: 'active',
      tree: new MessageTree(),
      turns: new Map(),
    };
    this.byId.set(id, conversation);
    const list = this.byAccount.get(account);
    if (list === undefined) this.byAccount.set(account, [conversation]);
    else list.push(conversation);
  }

  addTurn(entry: StateChangeOf<'turn'>): void {
    const conversation = this.byId.get(entry.conversation);
    if (conversation === undefined) return;
    const clientTurnId = entry.client_turn_id;
    for (const message of entry.messages) conversation.tree.append(toTreeNode(message, { clientTurnId }));
    conversation.tree.append(toTreeNode(entry.reply, { clientTurnId, model: entry.model ?? conversation.model }));
    conversation.turns.set(entry.client_turn_id, {
      conversationId: conversation.id,
      replyId: entry.reply.id,
      promptId: entry.reply.parent_id,
      artifacts: entry.artifacts ?? [],
    });
    if (entry.opened) this.openings.set(JSON.stringify([conversation.account, entry.client_turn_id]), conversation);
  }

  finish(entry: StateChangeOf<'finish'>): void {
    const node = this.byId.get(entry.conversation)?.tree.get(entry.message);
    if (node === undefined) return;
    node.content = entry.content;
    node.tokens = countTokens(entry.content);
    node.finishReason = entry.finish_reason;
    node.error = entry.error;
    node.liveGeneration = undefined;
  }

  addMessage(entry: StateChangeOf<'message'>): void {
    this.byId.get(entry.conversation)?.tree.append(toTreeNode(entry.message));
  }

  edit(entry: StateChangeOf<'edit'>): void {
    const node = this.byId.get(entry.conversation)?.tree.get(entry.message);
    if (node === undefined) return;
    node.content = entry.content;
    node.tokens = countTokens(entry.content);
  }

  setStatus(entry: StateChangeOf<'status'>): void {
    const conversation = this.byId.get(entry.conversation);
    if (conversation !== undefined) conversation.status = entry.status;
  }

  /** Marks replies that were interrupted by a stop of the server. */
  markInterruptedReplies(): void {
    for (const conversation of this.byId.values()) {
      for (const turn of conversation.turns.values()) {
        const node = conversation.tree.get(turn.replyId);
        if (node === undefined || node.finishReason !== undefined) continue;
        node.finishReason = 'interrupted';
        node.error = INTERRUPTED_ERROR;
      }
    }
  }
}
