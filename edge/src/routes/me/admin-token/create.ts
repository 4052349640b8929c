import { type z } from 'zod';
import { type adminToken } from '../../../wire/admin-token.ts';
import { type RouteDeps } from '../../deps.ts';
import { issueAdminToken } from '../../issue-admin-token.ts';
import { type Input, type Reply } from '../../route.ts';
import { sessionOf } from '../signed-in.ts';

/** A token of the control plane for the signed-in person; it ends with the session. */
export function createSessionAdminToken(input: Input, deps: RouteDeps): Promise<Reply<z.input<typeof adminToken>>> {
  const { userId, sessionId, rights } = sessionOf(input.principal);
  return issueAdminToken(input, deps, { kind: 'user', id: userId, sessionId }, rights);
}
