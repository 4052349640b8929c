import { type ServerResponse } from 'node:http';
import { z } from 'zod';
import { USAGE_GROUPINGS, type usageByGroup } from '../../../../wire/usage.ts';
import { listUsageGroups, usageGroupsQuery } from '../../../admin/usage/list.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply, type RESPONSE_SENT } from '../../../route.ts';
import { type workspaceParams } from '../fields.ts';

/** Query parameters of the usage report of a workspace. */
export const workspaceUsageQuery = usageGroupsQuery
  .omit({ workspace_id: true })
  .extend({ by: z.enum(USAGE_GROUPINGS).exclude(['workspace']).default('key') });

/** Returns the usage of a workspace by group, as JSON or CSV; work in login sessions is under the hidden keys of the people. */
export function listWorkspaceUsage(
  input: Input<z.output<typeof workspaceParams>, z.output<typeof workspaceUsageQuery>>,
  deps: RouteDeps,
  res: ServerResponse,
): Promise<Reply<z.input<typeof usageByGroup>> | typeof RESPONSE_SENT> {
  const { workspace_id } = input.params;
  return listUsageGroups({ ...input, params: undefined, query: { ...input.query, workspace_id } }, deps, res);
}
