import { type z } from 'zod';
import { type adminToken } from '../../../wire/admin-token.ts';
import { type RouteDeps } from '../../deps.ts';
import { issueAdminToken } from '../../issue-admin-token.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Issues a token of the control plane for the signed-in person; it becomes invalid with the session. */
export function createSessionAdminToken(input: Input, deps: RouteDeps): Promise<Reply<z.input<typeof adminToken>>> {
  const { userId, sessionId, rights } = requireSession(input.principal);
  return issueAdminToken(input, deps, { kind: 'user', id: userId, sessionId }, rights);
}
