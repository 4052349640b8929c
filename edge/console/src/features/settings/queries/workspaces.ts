import { useMutation, useQueryClient } from '@tanstack/react-query';
import { admin } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { take, takePage } from '../../../api/take.ts';
import { ALL_WORKSPACES } from '../../../session/every-workspace.ts';
import { workspacesQuery } from '../../../session/queries.ts';

export type Workspace = components['schemas']['Workspace'];
export type WorkspaceChange = components['schemas']['WorkspaceChange'];

/** A workspace; its bounds are known to who may see all of them. */
export type EditedWorkspace = Pick<Workspace, 'id' | 'name' | 'status'> & Partial<Pick<Workspace, 'quotas' | 'max_concurrency'>>;

const PAGE = 100;

/** The workspaces of the gateway after `offset`, oldest first. @throws Problem */
export function readWorkspaces(offset: number) {
  return takePage(admin.GET('/admin/v1/workspaces', { params: { query: { limit: PAGE, offset } } }));
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
