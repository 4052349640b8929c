import { queryOptions } from '@tanstack/react-query';
import { setCsrfToken } from '../api/credentials.ts';
import { meClient } from '../api/me.ts';
import { unwrap } from '../api/unwrap.ts';

/** Who is signed in; fails with 401 `SIGN_IN_REQUIRED` without a session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await unwrap(meClient.GET('/me/v1/session'));
    setCsrfToken(session.csrf_token);
    return session;
  },
  staleTime: 60_000,
});

/** The user's own workspaces, with the role in each. */
export const ownWorkspacesQuery = queryOptions({
  queryKey: ['own-workspaces'],
  queryFn: () => unwrap(meClient.GET('/me/v1/workspaces', { params: { query: { limit: 200 } } })),
  staleTime: 60_000,
});

/** Which roles have which permission. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: () => unwrap(meClient.GET('/me/v1/permissions')),
  staleTime: Number.POSITIVE_INFINITY,
});
