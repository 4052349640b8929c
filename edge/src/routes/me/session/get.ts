import { type z } from 'zod';
import { type currentSession, toCurrentSession } from '../../../wire/session.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Returns the session: its user, the roles, and the CSRF token. */
export function getCurrentSession({ principal, req }: Input, { identity }: RouteDeps): Reply<z.input<typeof currentSession>> {
  const csrf = identity.sessions.findCsrfToken(req) ?? '';
  return { body: toCurrentSession(requireSession(principal), csrf), headers: { 'cache-control': 'no-store' } };
}
