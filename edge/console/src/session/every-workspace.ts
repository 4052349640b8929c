import { queryOptions } from '@tanstack/react-query';
import { admin } from '../api/admin.ts';
import { type components } from '../api/generated/admin.ts';
import { takePage } from '../api/take.ts';

type Workspace = components['schemas']['Workspace'];

/** Key of everything about all workspaces of the gateway. */
export const ALL_WORKSPACES = ['admin', 'workspaces'] as const;

const PAGE = 200;

/** Every workspace of the gateway, for who may see them: to find one among them, which the gateway itself does not offer. */
export const everyWorkspaceQuery = queryOptions({
  queryKey: [...ALL_WORKSPACES, 'every'],
  queryFn: async () => {
    const all: Workspace[] = [];
    for (;;) {
      const { items, hasMore } = await takePage(
        admin.GET('/admin/v1/workspaces', { params: { query: { limit: PAGE, offset: all.length } } }),
      );
      all.push(...items);
      if (!hasMore) return all;
    }
  },
  staleTime: 60_000,
});
