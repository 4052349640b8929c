import { type z } from 'zod';
import { findKeyById } from '../../../store/keys.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** Returns the workspace of the key in a path; undefined for an unknown key, which only roles for the whole gateway may address. */
export function resolveKeyWorkspace(
  { params }: Pick<Input<z.output<typeof idParams>>, 'params'>,
  { db }: RouteDeps,
): Promise<string | undefined> {
  return findKeyWorkspaceId(db, params.id);
}

/** Returns the workspace of a key by id; undefined for an unknown one. */
export async function findKeyWorkspaceId(db: RouteDeps['db'], id: string): Promise<string | undefined> {
  return (await findKeyById(db, id))?.workspaceId;
}
