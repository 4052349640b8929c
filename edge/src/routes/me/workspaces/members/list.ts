import { type z } from 'zod';
import { listMembers as findMembers } from '../../../../store/memberships.ts';
import { type member, toMember } from '../../../../wire/member.ts';
import { type RouteDeps } from '../../../deps.ts';
import { pageHeaders } from '../../../paging.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type pageQuery, type workspaceParams } from '../fields.ts';

/** The members of a workspace, as all of them see them. */
export async function listWorkspaceMembers(
  { params, query }: Input<z.output<typeof workspaceParams>, z.output<typeof pageQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof member>[]>> {
  const { rows, total } = await findMembers(db, { workspaceId: params.workspace_id, ...query });
  return { body: rows.map(toMember), headers: pageHeaders(`/me/v1/workspaces/${params.workspace_id}/members`, {}, query, total) };
}
