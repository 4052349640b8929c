import { z } from 'zod';
import { listAudit } from '../../../store/audit-chain.ts';
import { type auditPage, toAuditEntry } from '../../../wire/audit.ts';
import { type RouteDeps } from '../../deps.ts';
import { time, uuid } from '../../fields.ts';
import { paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';

const text = z.string().min(1).max(256);

/** Query parameters of the audit log. */
export const auditQuery = z.object({
  since: time.optional().meta({ description: 'Entries of then or later.' }),
  until: time.optional().meta({ description: 'Entries from before.' }),
  actor_id: text.optional().meta({ description: 'Of a user, a service account or a key.' }),
  action: text.optional().meta({ description: 'An action such as `key.create`, or all of a noun: `key`.' }),
  workspace_id: uuid.optional().meta({ description: 'Without it, those of the whole gateway.' }),
  target_id: text.optional(),
  request_id: text.optional(),
  limit: paging.limit,
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'must be a next_cursor')
    .optional()
    .meta({ description: '`next_cursor` of the page before.' }),
});

/** Returns a page of the audit log, newest entry first. */
export async function listAuditEntries(
  { query }: Input<undefined, z.output<typeof auditQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof auditPage>>> {
  const rows = await listAudit(db, {
    since: query.since === undefined ? undefined : new Date(query.since),
    until: query.until === undefined ? undefined : new Date(query.until),
    actorId: query.actor_id,
    action: query.action,
    workspaceId: query.workspace_id,
    targetId: query.target_id,
    requestId: query.request_id,
    before: query.cursor === undefined ? undefined : BigInt(query.cursor),
    limit: query.limit,
  });
  const last = rows.length === query.limit ? rows.at(-1) : undefined;
  return { body: { entries: rows.map(toAuditEntry), next_cursor: last ? String(last.seq) : null } };
}
