import { isUuid } from '@parley/kit/ids/uuid';
import { type StoredAsset } from '../domain/asset.ts';
import { fromPrisma } from './asset-row.ts';
import { type Database, queryPrisma } from './database.ts';

/** Finds an asset of any workspace; undefined when it does not exist or the id is not a UUID. */
export async function findAsset({ prisma }: Database, id: string): Promise<StoredAsset | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await queryPrisma(() => prisma.asset.findUnique({ where: { id } }));
  return row ? fromPrisma(row) : undefined;
}

/** Returns the assets with these ids that belong to the workspace, in the order of the ids. */
export async function findAssets({ prisma }: Database, workspaceId: string, ids: readonly string[]): Promise<StoredAsset[]> {
  const wanted = ids.filter(isUuid).map((id) => id.toLowerCase());
  const rows = await queryPrisma(() => prisma.asset.findMany({ where: { workspaceId, id: { in: wanted } } }));
  const byId = new Map(rows.map((row) => [row.id, fromPrisma(row)]));
  return wanted.flatMap((id) => byId.get(id) ?? []);
}

/** Returns a page of the assets that were attached to a conversation or generated in it, oldest first, and the total number. */
export async function listAssetsOfConversation(
  { prisma }: Database,
  where: { workspaceId: string; conversationId: string },
  page: { limit: number; offset: number },
): Promise<{ assets: StoredAsset[]; total: number }> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const [rows, total] = await queryPrisma(() =>
    Promise.all([prisma.asset.findMany({ where, orderBy, take: page.limit, skip: page.offset }), prisma.asset.count({ where })]),
  );
  return { assets: rows.map(fromPrisma), total };
}
