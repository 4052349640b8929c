import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { asProblem } from '../api/problem.ts';

/** Called when the gateway knows no session of this browser any more. */
type OnSessionEnd = () => void;

/** Creates the cache of queries, which retries network errors, 502, 503 and 504 twice, and no other errors. */
export function createQueryClient(onSessionEnd: OnSessionEnd): QueryClient {
  const onError = (error: unknown) => {
    if (asProblem(error).code === 'SIGN_IN_REQUIRED') onSessionEnd();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: (count, error) => count < 2 && [0, 502, 503, 504].includes(asProblem(error).status),
      },
      mutations: { retry: false },
    },
  });
}
