import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

export type RouteProfile = components['schemas']['RouteProfile'];
export type RouteProfileBody = components['schemas']['RouteProfileBody'];
export type InternalProject = components['schemas']['InternalProject'];

/** The route profiles of a workspace. */
export function routeProfilesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['admin', 'route-profiles', workspaceId],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/route-profiles', { params: { query: { workspace_id: workspaceId } } })),
  });
}

/** The connections that a profile can name, with their models. */
export function routableConnectionsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'accounts-of-profiles'],
    queryFn: () => unwrap(adminClient.GET('/admin/v1/connections', { params: { query: { workspace_id: workspaceId, limit: 200 } } })),
  });
}

/** Creates or replaces a profile, or deletes one. */
export function useProfileCommands(workspaceId: string) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: routeProfilesQuery(workspaceId).queryKey });
  const params = (slug: string) => ({ path: { slug }, query: { workspace_id: workspaceId } });
  const put = useMutation({
    mutationFn: ({ slug, body }: { slug: string; body: RouteProfileBody }) =>
      unwrap(adminClient.PUT('/admin/v1/route-profiles/{slug}', { params: params(slug), body })),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (slug: string) => unwrap(adminClient.DELETE('/admin/v1/route-profiles/{slug}', { params: params(slug) })),
    onSuccess,
  });
  return { put, remove };
}

/** Key of the internal projects of a workspace. */
export function internalProjectsKey(workspaceId: string) {
  return ['admin', 'internal-projects', workspaceId];
}

/** The internal projects after `offset`, by slug. @throws Problem */
export function readInternalProjects(workspaceId: string, offset: number) {
  return unwrapPage(
    adminClient.GET('/admin/v1/internal-projects', { params: { query: { workspace_id: workspaceId, limit: 100, offset } } }),
  );
}

/** Creates or changes an internal project, or deletes one. */
export function useInternalProjectCommands(workspaceId: string) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: internalProjectsKey(workspaceId) });
  const params = (slug: string) => ({ path: { slug }, query: { workspace_id: workspaceId } });
  const put = useMutation({
    mutationFn: ({ slug, body }: { slug: string; body: components['schemas']['InternalProjectBody'] }) =>
      unwrap(adminClient.PUT('/admin/v1/internal-projects/{slug}', { params: params(slug), body })),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (slug: string) => unwrap(adminClient.DELETE('/admin/v1/internal-projects/{slug}', { params: params(slug) })),
    onSuccess,
  });
  return { put, remove };
}
