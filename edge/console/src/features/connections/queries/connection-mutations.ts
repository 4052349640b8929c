import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

/** What can be changed of a connection. */
export type ConnectionChange = components['schemas']['ConnectionChange'];
/** A connection that is made with one call. */
export type NewConnection = components['schemas']['NewConnection'];

const at = (workspaceId: string, id: string) => ({ path: { id }, query: { workspace_id: workspaceId } });

/** Reads the connections of a workspace anew. */
export function refreshConnections(queries: QueryClient, workspaceId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: workspaceQueryKey(workspaceId, 'connections') });
}

/** Changes a connection; a new secret reconnects it. */
export function useChangeConnection(workspaceId: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ConnectionChange) =>
      unwrap(adminClient.PATCH('/admin/v1/connections/{id}', { params: at(workspaceId, id), body: change })),
    onSuccess: () => refreshConnections(queries, workspaceId),
    // It may have held a secret.
    gcTime: 0,
  });
}

/** Asks the upstream whether the account works; that it does not is an answer, not an error. */
export function useTestConnection(workspaceId: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(adminClient.POST('/admin/v1/connections/{id}/test', { params: at(workspaceId, id) })),
    onSettled: () => refreshConnections(queries, workspaceId),
  });
}

/** Disconnects an account; with `moveTo` its conversations go on at the connection of that label. */
export function useRemoveConnection(workspaceId: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (moveTo: string) => {
      const { path, query } = at(workspaceId, id);
      const params = { path, query: { ...query, ...(moveTo && { move_to: moveTo }) } };
      return unwrap(adminClient.DELETE('/admin/v1/connections/{id}', { params }));
    },
    onSuccess: () => refreshConnections(queries, workspaceId),
  });
}

/** Connects an account with one call, with all that can be said of it at once. */
export function useCreateConnection(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (connection: NewConnection) =>
      unwrap(adminClient.POST('/admin/v1/connections', { body: { ...connection, workspace_id: workspaceId } })),
    onSuccess: () => refreshConnections(queries, workspaceId),
    gcTime: 0,
  });
}

/** Encrypts every secret with the current key of the gateway. */
export function rotateSecrets() {
  return unwrap(adminClient.POST('/admin/v1/connections/rotate-secrets'));
}
