import { z } from 'zod';
import { listKeyIdsOfUser, listKeyNames } from '../../../../store/keys.ts';
import { USAGE_PERIODS, toUsageGroup, type usageByGroup } from '../../../../wire/usage.ts';
import { withWorkspace } from '../../../admin/callers.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { type workspaceParams } from '../fields.ts';

/** Query parameters of the usage of own keys. */
export const ownUsageQuery = z.object({ period: z.enum(USAGE_PERIODS).default('7d') });

/** Returns the caller's usage of a workspace by key; work in a login session is under the hidden key. */
export async function listOwnUsage(
  { principal, params, query: { period } }: Input<z.output<typeof workspaceParams>, z.output<typeof ownUsageQuery>>,
  { db, clients }: RouteDeps,
): Promise<Reply<z.input<typeof usageByGroup>>> {
  const by = 'key';
  const when = { period, since: null, until: null };
  const keyIds = [...(await listKeyIdsOfUser(db, principal.userId))];
  // An empty list of keys would request the usage of all keys.
  if (keyIds.length === 0) return { body: { ...when, by, groups: [] } };
  const caller = withWorkspace(principal, params.workspace_id);
  const { groups } = await clients.usage.listUsageGroups({ by, period, since: '', until: '', keyIds }, { caller });
  const names = await listKeyNames(
    db,
    groups.map(({ id }) => id),
  );
  return { body: { ...when, by, groups: groups.map((group) => toUsageGroup(group, names.get(group.id) ?? null)) } };
}
