import { randomUUID } from 'node:crypto';
import { readReply, type Reply } from './frames.ts';
import { type TestSandbox } from './test-sandbox.ts';

/** A turn of a test; omitted fields default to those of a first turn. */
export interface TestTurn {
  readonly text: string;
  readonly in?: string;
  readonly after?: string | null;
  readonly turn?: string;
  readonly again?: boolean;
  readonly images?: string[];
  readonly files?: string[];
  readonly project?: string;
  readonly system?: string;
}

/** Sends a turn and resolves with the open response. */
export function send(sandbox: TestSandbox, token: string, said: TestTurn, signal?: AbortSignal): Promise<Response> {
  const user = {
    role: 'user',
    content: said.text,
    ...(said.images && { images: said.images }),
    ...(said.files && { attachments: said.files }),
  };
  const body = {
    parent_id: said.after ?? null,
    client_turn_id: said.turn ?? randomUUID(),
    ...(said.again && { again: true }),
    ...(said.project !== undefined && { project_id: said.project }),
    messages: said.system === undefined ? [user] : [{ role: 'system', content: said.system }, user],
  };
  return sandbox.call('POST', `/api/conversations/${said.in ?? 'new'}/messages`, body, token, signal);
}

/** Sends a turn and reads the reply to its end. */
export async function say(sandbox: TestSandbox, token: string, said: TestTurn): Promise<Reply> {
  return readReply(await send(sandbox, token, said));
}

/** Sends the next turn of a conversation after one of its replies. */
export function sayAfter(sandbox: TestSandbox, token: string, reply: Reply, text: string): Promise<Reply> {
  return say(sandbox, token, { text, in: reply.conversationId, after: reply.messageId });
}
