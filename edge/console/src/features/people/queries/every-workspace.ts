import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { type Page, unwrapPage } from '../../../api/unwrap.ts';
import { ALL_WORKSPACES_QUERY_KEY } from '../../../session/all-workspaces.ts';

type Workspace = components['schemas']['Workspace'];

const PAGE = 200;

/** Every workspace of the gateway, for a list to choose from. */
export const everyWorkspaceQuery = queryOptions({
  queryKey: [...ALL_WORKSPACES_QUERY_KEY, 'every'],
  queryFn: async () => {
    const all: Workspace[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page: Page<Workspace> = await unwrapPage(
        adminClient.GET('/admin/v1/workspaces', { params: { query: { limit: PAGE, cursor } } }),
      );
      all.push(...page.items);
      cursor = page.next;
    }
    return all;
  },
  staleTime: 60_000,
});
