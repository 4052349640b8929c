import { type z } from 'zod';
import { type Rights } from '../config/roles.ts';
import { type TokenSubject } from '../identity/admin-tokens.ts';
import { auditStatement } from '../store/audit-log.ts';
import { runQuery } from '../store/client.ts';
import { recordServiceAccountUse } from '../store/service-accounts.ts';
import { type adminToken, toAdminToken } from '../wire/admin-token.ts';
import { toAuditEntry } from './audit-entry.ts';
import { type RouteDeps } from './deps.ts';
import { type Input, type Reply } from './route.ts';

/** Issues a token of the control plane, writes its audit entry, and returns the response. */
export async function issueAdminToken(
  { req, principal }: Pick<Input, 'req' | 'principal'>,
  { db, identity }: RouteDeps,
  subject: TokenSubject,
  rights: Rights,
): Promise<Reply<z.input<typeof adminToken>>> {
  const { kind, id } = subject;
  const issued = await identity.adminTokens.issue(subject, rights);
  const actor = { kind, id, sessionId: subject.sessionId ?? issued.id, address: identity.clientAddress(req), rights };
  const entry = toAuditEntry({ ...principal, actor }, { action: 'admin_token.issue', targetId: issued.id });
  await runQuery(
    db.$transaction(async (tx) => {
      if (kind === 'service_account' && id !== null) await recordServiceAccountUse(tx, id);
      await auditStatement(tx, entry);
    }),
  );
  return { body: toAdminToken(issued), headers: { 'cache-control': 'no-store' } };
}
