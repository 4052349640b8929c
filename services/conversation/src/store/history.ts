import type { Ownership } from '../domain/access.ts';
import type { StoredPart } from '../domain/parts.ts';
import type { Placed } from '../domain/replaced-answers.ts';
import { type Database, asked } from './database.ts';

/** A message as it is stored. */
export interface StoredMessage extends Placed {
  id: string;
  content: string;
  parts: StoredPart[] | null;
  status: string;
}

/** Whose a conversation is; null for an unknown id. */
export function readOwnership({ prisma }: Database, id: string): Promise<Ownership | null> {
  const select = { workspaceId: true, ownerKeyId: true, deletedAt: true };
  return asked(() => prisma.conversation.findUnique({ where: { id }, select }));
}

/** Sequence of a turn of this conversation; undefined for any other turn. */
export async function readSequence({ prisma }: Database, conversationId: string, turnId: string): Promise<number | undefined> {
  const turn = await asked(() => prisma.turn.findUnique({ where: { id: turnId }, select: { sequence: true, conversationId: true } }));
  return turn?.conversationId === conversationId ? turn.sequence : undefined;
}

/** The messages of a conversation, oldest first, up to the turn before `before` if that is given. */
export async function readHistory({ prisma }: Database, conversationId: string, before?: number): Promise<StoredMessage[]> {
  const rows = await asked(() =>
    prisma.message.findMany({
      where: { conversationId, sequence: { lt: before } },
      orderBy: [{ sequence: 'asc' }, { position: 'asc' }],
      select: { id: true, sequence: true, position: true, role: true, content: true, parts: true, status: true },
    }),
  );
  // Only `partsToJson` writes this column.
  return rows.map((row) => ({ ...row, parts: row.parts as StoredPart[] | null }));
}
