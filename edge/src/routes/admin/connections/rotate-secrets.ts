import { z } from 'zod';
import { rotateEdgeSecrets } from '../../../identity/rotate-secrets.ts';
import { writeAudit } from '../../../store/audit-log.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { toAuditEntry } from '../../audit-entry.ts';

/** How many secrets were encrypted again, and with which key. */
export const rotation = z.object({ rotated: z.int(), key_id: z.string() }).meta({ id: 'SecretRotation' });

const ROTATION_MS = 60_000;

/** Encrypts every stored secret again with the current key: those of connections in all workspaces, and what the edge keeps for sign-ins and tokens. */
export async function rotateSecrets(
  { principal }: Input,
  { clients, db, identity, log }: RouteDeps,
): Promise<Reply<z.input<typeof rotation>>> {
  const ofConnections = await clients.chatRouting.rotateSecrets({}, { caller: principal, deadlineMs: ROTATION_MS });
  const rotated = ofConnections.rotated + (await rotateEdgeSecrets({ db, secrets: identity.secrets, log }));
  const { keyId } = ofConnections;
  await writeAudit(db, toAuditEntry(principal, { action: 'connection.rotate-secrets', targetId: keyId, details: { rotated } }));
  return { body: { rotated, key_id: keyId } };
}
