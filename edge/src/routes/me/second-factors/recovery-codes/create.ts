import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { newRecoveryCodes, recoveryCodeDigest } from '../../../../identity/recovery-codes.ts';
import { hasSecondFactor } from '../../../../identity/second-factor.ts';
import { replaceRecoveryCodes } from '../../../../store/recovery-codes.ts';
import { type recoveryCodes } from '../../../../wire/second-factors.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { changeFactors } from '../change-factors.ts';

/** Creates new recovery codes; the old ones become invalid. */
export async function createRecoveryCodes(input: Input, deps: RouteDeps): Promise<Reply<z.input<typeof recoveryCodes>>> {
  const { userId } = requireSession(input.principal);
  const codes = await changeFactors(input, deps, async (tx, factors) => {
    if (!hasSecondFactor(factors)) throw new GatewayError('NOT_FOUND', 'recovery codes replace a second factor, and there is none');
    const value = newRecoveryCodes();
    await replaceRecoveryCodes(tx, userId, value.map(recoveryCodeDigest));
    return { value, audit: { action: 'recovery_codes.create', targetId: userId, details: { codes: value.length } } };
  });
  return { body: { recovery_codes: codes }, headers: { 'cache-control': 'no-store' } };
}
