import { type QueryClient } from '@tanstack/react-query';
import { forgetAdminToken } from '../api/admin.ts';
import { forgetCredentials } from '../api/credentials.ts';
import { me } from '../api/me.ts';
import { take } from '../api/take.ts';

/** Ends the session there and forgets here what it showed. Resolves with the address of the identity provider's own sign-out, where there is one. */
export async function signOut(queries: QueryClient): Promise<string | undefined> {
  try {
    const { sign_out_url: url } = await take(me.POST('/me/v1/sign-out'));
    return url ?? undefined;
  } finally {
    forgetSession(queries);
  }
}

/** Nothing of an ended session stays in memory. */
export function forgetSession(queries: QueryClient): void {
  forgetAdminToken();
  forgetCredentials();
  queries.clear();
}
