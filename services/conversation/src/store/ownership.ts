import type { Ownership } from '../domain/access.ts';
import { type Database, asked } from './database.ts';

/** Whose a conversation is; null for an unknown id. */
export function readOwnership({ prisma }: Database, id: string): Promise<Ownership | null> {
  const select = { workspaceId: true, ownerKeyId: true, deletedAt: true };
  return asked(() => prisma.conversation.findUnique({ where: { id }, select }));
}
