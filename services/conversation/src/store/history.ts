import type { Ownership } from '../domain/access.ts';
import type { StoredPart } from '../domain/parts.ts';
import { type Database, asked } from './database.ts';

/** A message as it is stored. */
export interface StoredMessage {
  id: string;
  role: string;
  content: string;
  parts: StoredPart[] | null;
  status: string;
}

/** Whose a conversation is; null for an unknown id. */
export function readOwnership({ prisma }: Database, id: string): Promise<Ownership | null> {
  const select = { workspaceId: true, ownerKeyId: true, deletedAt: true };
  return asked(() => prisma.conversation.findUnique({ where: { id }, select }));
}

/** The messages of a conversation, oldest first. */
export async function readHistory({ prisma }: Database, conversationId: string): Promise<StoredMessage[]> {
  const rows = await asked(() =>
    prisma.message.findMany({
      where: { conversationId },
      orderBy: [{ sequence: 'asc' }, { position: 'asc' }],
      select: { id: true, role: true, content: true, parts: true, status: true },
    }),
  );
  // Only `partsToJson` writes this column.
  return rows.map((row) => ({ ...row, parts: row.parts as StoredPart[] | null }));
}
