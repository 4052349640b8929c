import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/me.ts';
import { fetchInWorkspace, getWorkspaceClient } from '../../../api/me.ts';
import { readProblem } from '../../../api/problem.ts';
import { type Page, unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

/** A project in a list; `bound` is known to those who may bind. */
export type Project = components['schemas']['Project'] & { bound?: boolean };
/** A project with its files. */
export type ProjectDetail = components['schemas']['ProjectDetail'];
/** A file of a project. */
export type ProjectSource = components['schemas']['ProjectSource'];
/** What a project is made of. */
export type NewProject = components['schemas']['NewProject'];

/** Rows that one request of a list reads. */
const PAGE_ROWS = 100;
const CONVERSATION_ROWS = 50;
const MOST_ACCOUNTS = 200;

/** Key of the list of projects with this text in their names. */
export function projectListKey(workspaceId: string, search: string, isWhole: boolean) {
  return [...workspaceQueryKey(workspaceId, 'projects'), 'list', search, isWhole] as const;
}

/** A page of projects. `isWhole`: those too that the workspace may not select, which needs `upstream_projects.write`. */
export function readProjects(workspaceId: string, search: string, isWhole: boolean, offset: number): Promise<Page<Project>> {
  const query = { ...(search && { search }), limit: PAGE_ROWS, offset };
  if (isWhole) return unwrapPage(adminClient.GET('/admin/v1/projects', { params: { query: { ...query, workspace_id: workspaceId } } }));
  return unwrapPage(getWorkspaceClient(workspaceId).GET('/me/v1/projects', { params: { query } }));
}

/** One project with its files. */
export function projectQuery(workspaceId: string, projectId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'projects'), 'one', projectId],
    queryFn: () =>
      unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/projects/{project_id}', { params: { path: { project_id: projectId } } })),
  });
}

/** Key of the person's conversations in a project. */
export function projectConversationsKey(workspaceId: string, projectId: string) {
  return [...workspaceQueryKey(workspaceId, 'conversations'), 'in-project', projectId] as const;
}

/** A page of the person's conversations in a project. */
export function readProjectConversations(workspaceId: string, projectId: string, offset: number) {
  const query = { project_filter: projectId, limit: CONVERSATION_ROWS, offset };
  return unwrapPage(getWorkspaceClient(workspaceId).GET('/me/v1/conversations', { params: { query } }));
}

/** Labels of the connections of a workspace by their id, as far as one request returns them. */
export function connectionLabelsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'labels'],
    queryFn: async () => {
      const accounts = await unwrap(
        getWorkspaceClient(workspaceId).GET('/me/v1/connections', { params: { query: { limit: MOST_ACCOUNTS } } }),
      );
      return new Map(accounts.map(({ id, label }) => [id, label]));
    },
  });
}

/** The capabilities of a workspace: those of its providers, and whether projects can be created. */
export function projectCapabilitiesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'project-ability'],
    queryFn: async () => (await unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/capabilities'))).capabilities,
  });
}

function refresh(queries: QueryClient, workspaceId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: workspaceQueryKey(workspaceId, 'projects') });
}

/** Makes a project, here and upstream. */
export function useCreateProject(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewProject) => unwrap(getWorkspaceClient(workspaceId).POST('/me/v1/projects', { body })),
    onSuccess: () => refresh(queries, workspaceId),
  });
}

/** Renames a project, or changes its instructions. */
export function useChangeProject(workspaceId: string, projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['ProjectChange']) =>
      unwrap(getWorkspaceClient(workspaceId).PATCH('/me/v1/projects/{project_id}', { params: { path: { project_id: projectId } }, body })),
    onSuccess: () => refresh(queries, workspaceId),
  });
}

/** Deletes a project, upstream as well. */
export function useDeleteProject(workspaceId: string, projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(getWorkspaceClient(workspaceId).DELETE('/me/v1/projects/{project_id}', { params: { path: { project_id: projectId } } })),
    onSuccess: () => {
      queries.removeQueries({ queryKey: projectQuery(workspaceId, projectId).queryKey });
      return refresh(queries, workspaceId);
    },
  });
}

/** Adds a file to a project. */
export function useAddFile(workspaceId: string, projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => {
      const body = new FormData();
      body.append('file', file);
      const response = await fetchInWorkspace(workspaceId, `/me/v1/projects/${projectId}/files`, { method: 'POST', body });
      if (!response.ok) throw await readProblem(response);
      return (await response.json()) as ProjectSource;
    },
    onSettled: () => refresh(queries, workspaceId),
  });
}

/** Removes a file from a project, upstream as well. */
export function useRemoveFile(workspaceId: string, projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sourceId: string) => {
      const path = { project_id: projectId, source_id: sourceId };
      return unwrap(getWorkspaceClient(workspaceId).DELETE('/me/v1/projects/{project_id}/files/{source_id}', { params: { path } }));
    },
    onSuccess: () => refresh(queries, workspaceId),
  });
}

/** Binds an upstream project to the workspace or takes it away, or makes it the default. */
export function useBindProject(workspaceId: string, projectId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { bound?: boolean; is_default?: boolean }) =>
      unwrap(
        adminClient.PATCH('/admin/v1/projects/{id}', { params: { path: { id: projectId }, query: { workspace_id: workspaceId } }, body }),
      ),
    onSuccess: () => refresh(queries, workspaceId),
  });
}

/** Registers a project that was made at the provider. It is selected once it is bound. */
export function useRegisterProject(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { upstream_account_id: string; upstream_reference: string }) =>
      unwrap(adminClient.POST('/admin/v1/projects', { body: { ...body, workspace_id: workspaceId } })),
    onSuccess: () => refresh(queries, workspaceId),
  });
}
