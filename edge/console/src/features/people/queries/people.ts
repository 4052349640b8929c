import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { meClient } from '../../../api/me.ts';
import { unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { usePageList } from '../../../ui/use-page-list.ts';

type Schemas = components['schemas'];
export type Member = Schemas['Member'];
export type Invitation = Schemas['Invitation'];
export type ServiceAccount = Schemas['ServiceAccount'];
export type User = Schemas['User'];
export type OidcProvider = Schemas['OidcProvider'];
export type WorkspaceRole = Member['role'];
export type InstanceRole = NonNullable<User['instance_role']>;

/** The scope of a list of people: this workspace, or the whole gateway. */
export type PeopleScope = 'workspace' | 'gateway';

/** The first element of the keys of all queries of people. */
const PEOPLE = 'people';
const PAGE = 100;

/** The filter of a list by workspace; without it the gateway's whole list. */
function filterOf(workspaceId: string, scope: PeopleScope): { workspace_id?: string } {
  return scope === 'workspace' ? { workspace_id: workspaceId } : {};
}

export function useMembers(workspaceId: string, search: string) {
  return usePageList([PEOPLE, 'members', workspaceId, search], (_offset, cursor) =>
    unwrapPage(
      meClient.GET('/me/v1/workspaces/{workspace_id}/members', {
        params: { path: { workspace_id: workspaceId }, query: { limit: PAGE, cursor, ...(search && { search }) } },
      }),
    ),
  );
}

export function useInvitations(workspaceId: string, scope: PeopleScope) {
  return usePageList([PEOPLE, 'invitations', workspaceId, scope], (_offset, cursor) =>
    unwrapPage(adminClient.GET('/admin/v1/invitations', { params: { query: { ...filterOf(workspaceId, scope), limit: PAGE, cursor } } })),
  );
}

export function useServiceAccounts(workspaceId: string, scope: PeopleScope) {
  return usePageList([PEOPLE, 'service-accounts', workspaceId, scope], (_offset, cursor) =>
    unwrapPage(
      adminClient.GET('/admin/v1/service-accounts', { params: { query: { ...filterOf(workspaceId, scope), limit: PAGE, cursor } } }),
    ),
  );
}

/** Which users are looked for. */
interface UserFilter {
  /** A part of the name or the email. */
  search?: string;
  status?: User['status'];
  instance_role?: InstanceRole;
}

export function useUsers(filter: UserFilter) {
  return usePageList([PEOPLE, 'users', filter], (_offset, cursor) =>
    unwrapPage(adminClient.GET('/admin/v1/users', { params: { query: { ...filter, limit: PAGE, cursor } } })),
  );
}

export const oidcProvidersQuery = queryOptions({
  queryKey: [PEOPLE, 'providers'],
  queryFn: () => unwrap(adminClient.GET('/admin/v1/oidc-providers', { params: { query: { limit: 200 } } })),
});

/** A mutation of people; afterwards reads all queries of people again. */
export function usePeopleMutation<T, V = void>(change: (variables: V) => Promise<T>, onDone?: (answer: T) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      onDone?.(answer);
      await queries.invalidateQueries({ queryKey: [PEOPLE] });
    },
  });
}
