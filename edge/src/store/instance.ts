import { type Database, runQuery } from './client.ts';

/** Returns the id of this gateway, a UUID in its database: the same at every edge and after a restored backup. */
export async function getInstanceId(db: Database): Promise<string> {
  const { id } = await runQuery(db.instance.findUniqueOrThrow({ where: { isOnly: true }, select: { id: true } }));
  return id;
}
