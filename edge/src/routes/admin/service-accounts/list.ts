import { z } from 'zod';
import { listServiceAccounts as findAccounts } from '../../../store/service-accounts.ts';
import { type serviceAccount, toServiceAccount } from '../../../wire/service-account.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { cursorPageHeaders, cursorPaging, toPageRequest } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

/** Query parameters of the list; without a workspace, it contains all accounts. */
export const serviceAccountsQuery = z.object({ workspace_id: uuid.optional(), ...cursorPaging });

/** Returns a page of service accounts without their secrets, newest first. */
export async function listServiceAccounts(
  { query }: Input<undefined, z.output<typeof serviceAccountsQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof serviceAccount>[]>> {
  const { workspace_id } = query;
  const page = await findAccounts(db, { workspaceId: workspace_id }, toPageRequest(query));
  return {
    body: page.rows.map(toServiceAccount),
    headers: cursorPageHeaders('/admin/v1/service-accounts', { workspace_id }, query, page),
  };
}
