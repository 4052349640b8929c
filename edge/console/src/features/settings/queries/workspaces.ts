import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { admin } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { take, takePage } from '../../../api/take.ts';
import { workspacesQuery } from '../../../session/queries.ts';

export type Workspace = components['schemas']['Workspace'];
export type WorkspaceChange = components['schemas']['WorkspaceChange'];

/** Key of everything about all workspaces of the gateway. */
export const ALL_WORKSPACES = ['admin', 'workspaces'] as const;

const PAGE = 100;

/** The workspaces of the gateway after `offset`, oldest first. @throws Problem */
export function readWorkspaces(offset: number) {
  return takePage(admin.GET('/admin/v1/workspaces', { params: { query: { limit: PAGE, offset } } }));
}

/** One of them, for whom may see all; undefined where there is none. */
export function workspaceQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...ALL_WORKSPACES, 'one', workspaceId],
    queryFn: async () => {
      for (let offset = 0; ; offset += PAGE) {
        const { items, hasMore } = await readWorkspaces(offset);
        const found = items.find(({ id }) => id === workspaceId);
        if (found || !hasMore) return found ?? null;
      }
    },
  });
}

/** Creates an empty workspace. */
export function useNewWorkspace() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: components['schemas']['NewWorkspace']) => take(admin.POST('/admin/v1/workspaces', { body })),
    onSuccess: refresh,
  });
}

/** Renames, enables, disables or bounds a workspace. */
export function useWorkspaceChange(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: WorkspaceChange) => take(admin.PATCH('/admin/v1/workspaces/{id}', { params: { path: { id } }, body })),
    onSuccess: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ALL_WORKSPACES }),
      queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
    ]);
}
