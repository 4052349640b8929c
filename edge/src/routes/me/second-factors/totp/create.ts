import { type z } from 'zod';
import { newTotpSecret } from '../../../../identity/totp.ts';
import { putPendingTotp } from '../../../../store/totp-devices.ts';
import { type totpSecret } from '../../../../wire/second-factors.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { changeFactors } from '../change-factors.ts';

/**
 * Creates a secret for an authenticator app; it takes effect when a code of it is confirmed, and until then an app that is already
 * confirmed stays in use.
 */
export async function createTotp(input: Input, deps: RouteDeps): Promise<Reply<z.input<typeof totpSecret>>> {
  const { userId, email, displayName } = requireSession(input.principal);
  const { secret, uri } = await changeFactors(input, deps, async (tx) => {
    const value = newTotpSecret(email ?? displayName);
    await putPendingTotp(tx, userId, Uint8Array.from(deps.identity.secrets.seal(userId, value.secret)));
    return { value, audit: { action: 'totp.create', targetId: userId } };
  });
  return { body: { secret, uri }, headers: { 'cache-control': 'no-store' } };
}
