import { useMutation, useQueryClient } from '@tanstack/react-query';
import { adoptSession, type CurrentSession } from '../../../session/adopt-session.ts';
import { ACCOUNT_QUERY_KEY } from './account.ts';

/** A mutation of the account. Afterwards reads the queries of the account again, and takes over a session with a new cookie. */
export function useAccountMutation<T, V = void>(change: (variables: V) => Promise<T>, onDone?: (answer: T) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      const session = sessionIn(answer);
      if (session) adoptSession(queries, session);
      onDone?.(answer);
      await queries.invalidateQueries({ queryKey: [ACCOUNT_QUERY_KEY] });
    },
  });
}

/** The session in an answer, or the answer itself where it is one. */
function sessionIn(answer: unknown): CurrentSession | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('csrf_token' in answer) return answer as CurrentSession;
  return 'session' in answer ? (answer.session as CurrentSession) : undefined;
}
