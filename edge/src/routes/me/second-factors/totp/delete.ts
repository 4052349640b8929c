import { GatewayError } from '@parley/protos/errors';
import { deleteTotp as remove } from '../../../../store/totp-devices.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { changeFactors } from '../change-factors.ts';

/** Removes the authenticator app of the signed-in person. */
export async function deleteTotp(input: Input, deps: RouteDeps): Promise<Reply<undefined>> {
  const { userId } = requireSession(input.principal);
  await changeFactors(input, deps, async (tx) => {
    if (!(await remove(tx, userId))) throw new GatewayError('NOT_FOUND', 'there is no authenticator app');
    return { value: undefined, audit: { action: 'totp.delete', targetId: userId } };
  });
  return { body: undefined };
}
