import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { type Page, unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { ACTIONS_QUERY_KEY } from './catalog.ts';

/** A workspace of the gateway. */
export type Workspace = components['schemas']['Workspace'];

/** The ids of the workspaces that take part in the beta of actions. */
export const cohortQuery = queryOptions({
  queryKey: [...ACTIONS_QUERY_KEY, 'cohort'],
  queryFn: async () => (await unwrap(adminClient.GET('/admin/v1/action-cohort'))).workspace_ids,
});

/** The key of the list of workspaces that can take part in the beta. */
export const COHORT_WORKSPACES_QUERY_KEY = [...ACTIONS_QUERY_KEY, 'workspaces'] as const;

/** A page of the workspaces of the gateway. @throws Problem */
export function readWorkspaces(offset: number): Promise<Page<Workspace>> {
  return unwrapPage(adminClient.GET('/admin/v1/workspaces', { params: { query: { limit: 100, offset } } }));
}

/** Lets a workspace take part, or no longer. @throws Problem */
export function setCohortMember(id: string, isMember: boolean): Promise<unknown> {
  const params = { path: { id } };
  return isMember
    ? unwrap(adminClient.PUT('/admin/v1/action-cohort/{id}', { params }))
    : unwrap(adminClient.DELETE('/admin/v1/action-cohort/{id}', { params }));
}
