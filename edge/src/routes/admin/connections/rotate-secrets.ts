import { z } from 'zod';
import { rotateEdgeSecrets } from '../../../identity/rotate-secrets.ts';
import { type RouteDeps } from '../../deps.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';

/** The number of re-encrypted secrets, and the id of the current key. */
export const secretRotationResult = z.object({ rotated: z.int(), key_id: z.string() }).meta({ id: 'SecretRotation' });

const ROTATION_MS = 60_000;

/**
 * Re-encrypts every stored secret with the current key: those of connections in all workspaces, and those of the edge for sign-ins and
 * tokens.
 */
export async function rotateSecrets({ principal }: Input, deps: RouteDeps): Promise<Reply<z.input<typeof secretRotationResult>>> {
  const { clients, db, identity, log } = deps;
  const { rotated, keyId } = await recordChange(principal, deps, {
    action: 'connection.rotate-secrets',
    make: async () => {
      const ofConnections = await clients.chatRouting.rotateSecrets({}, { caller: principal, deadlineMs: ROTATION_MS });
      const ofEdge = await rotateEdgeSecrets({ db, secrets: identity.secrets, log });
      return { rotated: ofConnections.rotated + ofEdge, keyId: ofConnections.keyId };
    },
    toAuditFields: ({ rotated, keyId }) => ({ targetId: keyId, details: { rotated } }),
  });
  return { body: { rotated, key_id: keyId } };
}
