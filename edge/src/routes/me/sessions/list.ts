import { z } from 'zod';
import { listSessions as findSessions } from '../../../store/sessions.ts';
import { type ownSession, toOwnSession } from '../../../wire/people.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders, paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Query parameters of the list of sessions. */
export const sessionsQuery = z.object(paging);

/** Returns a page of the open sessions of the caller, last used first. */
export async function listSessions(
  { principal, query }: Input<undefined, z.output<typeof sessionsQuery>>,
  { db, config }: RouteDeps,
): Promise<Reply<z.input<typeof ownSession>[]>> {
  const { userId, sessionId } = requireSession(principal);
  const { rows, total } = await findSessions(db, userId, { idleMs: config.sessionIdleMs, ...query });
  return { body: rows.map((row) => toOwnSession(row, sessionId)), headers: pageHeaders('/me/v1/sessions', {}, query, total) };
}
