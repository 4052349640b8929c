import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { auditStatement } from '../../../store/audit-log.ts';
import { runQuery } from '../../../store/client.ts';
import { renamePasskey } from '../../../store/passkeys.ts';
import { type passkey, toPasskey } from '../../../wire/passkey.ts';
import { type idParams } from '../../admin/fields.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** The body with the new name of a passkey. */
export const updatePasskeyBody = z.object({ name }).meta({ id: 'PasskeyChange' });

/** Renames a passkey of the signed-in person. */
export async function updatePasskey(
  { principal, params: { id }, body }: Input<z.output<typeof idParams>, undefined, z.output<typeof updatePasskeyBody>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof passkey>>> {
  const renamed = await runQuery(
    db.$transaction(async (tx) => {
      const changed = await renamePasskey(tx, requireSession(principal).userId, id, body.name);
      if (!changed) throw new GatewayError('NOT_FOUND', 'no such passkey', { param: 'id' });
      await auditStatement(tx, toAuditEntry(principal, { action: 'passkey.update', targetId: id, details: { name: changed.name } }));
      return changed;
    }),
  );
  return { body: toPasskey(renamed) };
}
