import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { deletePasskey as remove } from '../../../store/passkeys.ts';
import { type idParams } from '../../admin/fields.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { changeFactors } from '../second-factors/change-factors.ts';

/** Deletes a passkey of the signed-in person; it can no longer be used to sign in. */
export async function deletePasskey(input: Input<z.output<typeof idParams>>, deps: RouteDeps): Promise<Reply<undefined>> {
  const { id } = input.params;
  const { userId } = requireSession(input.principal);
  await changeFactors(input, deps, async (tx) => {
    if (!(await remove(tx, userId, id))) throw new GatewayError('NOT_FOUND', 'no such passkey', { param: 'id' });
    return { value: undefined, audit: { action: 'passkey.delete', targetId: id } };
  });
  return { body: undefined };
}
