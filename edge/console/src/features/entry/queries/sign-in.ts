import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meClient } from '../../../api/me.ts';
import { asProblem } from '../../../api/problem.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { adoptSession, type CurrentSession } from '../../../session/adopt-session.ts';

/** Which ways in there are. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => unwrap(meClient.GET('/me/v1/sign-in')),
  staleTime: 60_000,
});

/** The session of the browser; null when it has none. */
export const optionalSessionQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: async () => {
    try {
      return await unwrap(meClient.GET('/me/v1/session'));
    } catch (error) {
      if (asProblem(error).code === 'SIGN_IN_REQUIRED') return null;
      throw error;
    }
  },
});

/** Begins the console with a session: nothing that another person has read stays in memory. */
function begin(queries: QueryClient, session: CurrentSession): void {
  queries.clear();
  adoptSession(queries, session);
}

/** Returns the function that starts the console with a new session, at a path inside the console. */
export function useStartSession(): (session: CurrentSession, path: string) => void {
  const queries = useQueryClient();
  const router = useRouter();
  return (session, path) => {
    begin(queries, session);
    router.history.push(`/console${path}`);
  };
}
