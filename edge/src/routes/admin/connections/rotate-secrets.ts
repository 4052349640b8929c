import { z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { toAuditEntry } from '../on-behalf.ts';

/** How many secrets were encrypted again, and with which key. */
export const rotation = z.object({ rotated: z.int(), key_id: z.string() }).meta({ id: 'SecretRotation' });

const ROTATION_MS = 60_000;

/** Encrypts every stored secret again with the current key, in all workspaces. */
export async function rotateSecrets({ principal }: Input, { clients, db }: RouteDeps): Promise<Reply<z.input<typeof rotation>>> {
  const { rotated, keyId } = await clients.chatRouting.rotateSecrets({}, { caller: principal, deadlineMs: ROTATION_MS });
  await writeAudit(db, toAuditEntry(principal, { action: 'connection.rotate-secrets', targetId: keyId, details: { rotated } }));
  return { body: { rotated, key_id: keyId } };
}
