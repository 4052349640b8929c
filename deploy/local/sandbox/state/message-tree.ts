import { type FileContent } from '../engine/files/file-content.ts';
import { type Role, type ThreadMessage } from '../engine/thread.ts';

/** Why a reply ended. `interrupted`: the server stopped while it was being produced. */
export type FinishReason = 'stop' | 'length' | 'stopped' | 'error' | 'interrupted';

/** An upstream error as a client receives it. */
export interface TurnError {
  readonly code: string;
  readonly message: string;
}

/** The error of a reply that was cut off by a shutdown of the server. */
export const INTERRUPTED_ERROR: TurnError = { code: 'interrupted', message: 'the server stopped while it was answering' };

/** One message of a conversation. */
export interface TreeNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: Role;
  readonly images: number;
  /** Ids of attached files. */
  readonly files: readonly string[];
  /** Epoch ms. */
  readonly at: number;
  /** Client turn id of its turn; absent for a message that was appended upstream. */
  readonly clientTurnId?: string | undefined;
  /** Model of a reply. */
  readonly model?: string | undefined;
  content: string;
  /** Estimated tokens, computed once: a thread's usage is the sum over its nodes. */
  tokens: number;
  finishReason?: FinishReason | undefined;
  error?: TurnError | undefined;
  /** The generation of the text, while it is in progress. */
  liveGeneration?: { readonly text: string } | undefined;
}

/** Returns the current text of a node, also while it is being generated. */
export function getNodeText(node: TreeNode): string {
  return node.liveGeneration?.text ?? node.content;
}

/** The messages of one conversation: a tree by parent id, with one root. */
export class MessageTree {
  private readonly nodes = new Map<string, TreeNode>();
  /** Id of the newest message, after which the conversation continues; null in an empty tree. */
  current: string | null = null;

  get size(): number {
    return this.nodes.size;
  }

  get(id: string): TreeNode | undefined {
    return this.nodes.get(id);
  }

  all(): TreeNode[] {
    return [...this.nodes.values()];
  }

  /** Whether a message may be appended to `parentId`; null is the position of the root, which is free only in an empty tree. */
  canAppendTo(parentId: string | null): boolean {
    return parentId === null ? this.nodes.size === 0 : this.nodes.has(parentId);
  }

  /** Appends a message. @throws Error when the parent is not in this tree or the id exists. */
  append(node: TreeNode): void {
    if (!this.canAppendTo(node.parentId)) throw new Error(`no parent ${String(node.parentId)}`);
    if (this.nodes.has(node.id)) throw new Error(`message ${node.id} exists`);
    this.nodes.set(node.id, node);
    this.current = node.id;
  }

  /** Returns the path from the root to a message; empty for null. */
  pathTo(id: string | null): TreeNode[] {
    const path: TreeNode[] = [];
    for (let node = id === null ? undefined : this.nodes.get(id); node !== undefined;) {
      path.push(node);
      node = node.parentId === null ? undefined : this.nodes.get(node.parentId);
    }
    return path.reverse();
  }
}

/** Converts a path for the reply engine; `contents` contains the files in it. */
export function nodesToThread(path: readonly TreeNode[], contents: ReadonlyMap<string, FileContent> = new Map()): ThreadMessage[] {
  return path.map((node) => ({
    role: node.role,
    content: getNodeText(node),
    images: node.images,
    files: node.files.flatMap((id) => contents.get(id) ?? []),
  }));
}
