import { useMutation, useQueryClient } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { ALL_WORKSPACES_QUERY_KEY } from '../../../session/all-workspaces.ts';
import { ownWorkspacesQuery } from '../../../session/queries.ts';

export type Workspace = components['schemas']['Workspace'];
export type WorkspaceChange = components['schemas']['WorkspaceChange'];

/** A workspace; its bounds are known to who may see all of them. */
export type EditedWorkspace = Pick<Workspace, 'id' | 'name' | 'status'> & Partial<Pick<Workspace, 'quotas' | 'max_concurrency'>>;

const PAGE = 100;

/** The workspaces of the gateway at a cursor, oldest first; with a text those with it in their name. @throws Problem */
export function readWorkspaces(search: string, cursor: string) {
  return unwrapPage(adminClient.GET('/admin/v1/workspaces', { params: { query: { limit: PAGE, cursor, ...(search && { search }) } } }));
}

/** Creates an empty workspace. */
export function useCreateWorkspace() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: components['schemas']['NewWorkspace']) => unwrap(adminClient.POST('/admin/v1/workspaces', { body })),
    onSuccess: refresh,
  });
}

/** Changes the name, the status or the limits of a workspace. */
export function useUpdateWorkspace(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: WorkspaceChange) => unwrap(adminClient.PATCH('/admin/v1/workspaces/{id}', { params: { path: { id } }, body })),
    onSuccess: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ALL_WORKSPACES_QUERY_KEY }),
      queries.invalidateQueries({ queryKey: ownWorkspacesQuery.queryKey }),
    ]);
}
