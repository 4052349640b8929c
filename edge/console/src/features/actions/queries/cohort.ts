import { queryOptions } from '@tanstack/react-query';
import { admin } from '../../../api/admin.ts';
import { type Page, unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { type components } from '../../../api/generated/admin.ts';
import { ACTIONS } from './catalog.ts';

/** A workspace of the gateway. */
export type Workspace = components['schemas']['Workspace'];

/** The ids of the workspaces that take part in the beta of actions. */
export const cohortQuery = queryOptions({
  queryKey: [...ACTIONS, 'cohort'],
  queryFn: async () => (await unwrap(admin.GET('/admin/v1/action-cohort'))).workspace_ids,
});

/** The key of the workspaces of the gateway. */
export const WORKSPACES = [...ACTIONS, 'workspaces'] as const;

/** A page of the workspaces of the gateway. @throws Problem */
export function readWorkspaces(offset: number): Promise<Page<Workspace>> {
  return unwrapPage(admin.GET('/admin/v1/workspaces', { params: { query: { limit: 100, offset } } }));
}

/** Lets a workspace take part, or no longer. @throws Problem */
export function setCohortMember(id: string, isMember: boolean): Promise<unknown> {
  const params = { path: { id } };
  return isMember
    ? unwrap(admin.PUT('/admin/v1/action-cohort/{id}', { params }))
    : unwrap(admin.DELETE('/admin/v1/action-cohort/{id}', { params }));
}
