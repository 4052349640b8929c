import { z } from 'zod';
import { type ExportedAuditEntry, type StoredAuditEntry } from '../store/audit-chain.ts';

const ACTORS = ['operator', 'user', 'service_account', 'key', 'system', 'unknown'] as const;

/** An entry of the audit log in responses. */
export const auditEntry = z
  .object({
    seq: z.int().meta({ description: 'Place in the chain, from 1 without a gap.' }),
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z.object({
      kind: z.enum(ACTORS),
      id: z.string().nullable().meta({ description: 'Of the user, the service account or the key.' }),
      session_id: z.string().nullable().meta({ description: 'The login session, or the id of the token.' }),
      address: z.string().nullable(),
    }),
    action: z.string().meta({ description: 'Such as `key.create`.' }),
    workspace_id: z.string().nullable(),
    target_id: z.string().meta({ description: '`new` in the first entry of what gets its id from another service.' }),
    request_id: z.string(),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'Never a secret. `outcome` (`begun`, `done`, `refused`, `unknown`) where another service makes the change.',
    }),
    hash: z.string().meta({ description: 'SHA-256, hex: of the hash of the entry before it and of what this one says.' }),
  })
  .meta({ id: 'AuditEntry' });

/** A page of the audit log, newest entry first, with the cursor of the next page. */
export const auditPage = z
  .object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'AuditPage', description: 'Newest first.' });

/** The result of verifying the hash chain of the audit log. */
export const auditVerification = z
  .object({
    entries: z.int().meta({ description: 'Entries that were checked.' }),
    problem: z
      .object({ seq: z.int(), problem: z.enum(['missing', 'changed', 'forked']) })
      .nullable()
      .meta({ description: 'The first place where the chain does not hold; null where it does.' }),
    head: z
      .object({ seq: z.int(), hash: z.string() })
      .nullable()
      .meta({ description: 'The last entry that holds. Keep it elsewhere: a chain that was written anew has another one.' }),
  })
  .meta({ id: 'AuditVerification' });

/** Converts an audit entry to its JSON form. */
export function toAuditEntry(entry: StoredAuditEntry): z.input<typeof auditEntry> {
  return {
    seq: Number(entry.seq),
    id: entry.id,
    at: entry.at.toISOString(),
    actor: {
      kind: ACTORS.find((kind) => kind === entry.actor) ?? 'unknown',
      id: entry.actorId,
      session_id: entry.sessionId,
      address: entry.address,
    },
    action: entry.action,
    workspace_id: entry.workspaceId,
    target_id: entry.targetId,
    request_id: entry.requestId,
    details: entry.details as Record<string, unknown>,
    hash: toHex(entry.hash),
  };
}

/** Returns an entry as a line of the export (NDJSON): `hash` is the SHA-256 of the bytes of `prev_hash` and the UTF-8 of `hashed`. */
export function toAuditLine(entry: ExportedAuditEntry): string {
  return `${JSON.stringify({ ...toAuditEntry(entry), prev_hash: toHex(entry.prevHash), hashed: entry.hashed })}\n`;
}

/** Returns bytes as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
