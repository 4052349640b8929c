import { type QueryClient } from '@tanstack/react-query';
import { setCsrfToken } from '../api/credentials.ts';
import { type components } from '../api/generated/me.ts';
import { sessionQuery } from './queries.ts';

/** Who is signed in, with the CSRF token. */
export type CurrentSession = components['schemas']['CurrentSession'];

/** Takes over a session that has begun, or has a new cookie: its CSRF token, and whose it is. */
export function adoptSession(queries: QueryClient, session: CurrentSession): void {
  setCsrfToken(session.csrf_token);
  queries.setQueryData(sessionQuery.queryKey, session);
}
