import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { findClockErrorSeconds, findTotpStep } from '../../../../identity/totp.ts';
import { confirmTotp as confirm, findTotpDevice } from '../../../../store/totp-devices.ts';
import { type addedFactor } from '../../../../wire/second-factors.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';
import { applyFactorAddition } from '../change-factors.ts';
import { totpCode } from '../fields.ts';

/** The body with the first code of an authenticator app. */
export const confirmTotpBody = z.object({ code: totpCode }).meta({ id: 'TotpConfirmation' });

/** Confirms an authenticator app with its first code. */
export async function confirmTotp(
  input: Input<undefined, undefined, z.output<typeof confirmTotpBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof addedFactor>>> {
  const { userId } = requireSession(input.principal);
  const { added, headers } = await applyFactorAddition(input, deps, async (tx) => {
    const device = await findTotpDevice(tx, userId);
    if (!device?.pendingSecret) throw new GatewayError('NOT_FOUND', 'there is no authenticator app to confirm');
    const secret = deps.identity.secrets.open(userId, device.pendingSecret);
    const { code } = input.body;
    const step = findTotpStep(secret, code);
    if (step === undefined) throw new GatewayError('VALIDATION_ERROR', problemOf(secret, code), { param: 'code' });
    await confirm(tx, userId, step);
    return { value: undefined, audit: { action: 'totp.confirm', targetId: userId } };
  });
  return { body: added, headers };
}

/**
 * Explains why a code was rejected. A person who sets up an app knows its secret, and may therefore learn the clock error of the device.
 */
function problemOf(secret: string, code: string): string {
  const seconds = findClockErrorSeconds(secret, code);
  if (seconds === undefined) return 'the code is wrong, or the clock of your device or of the gateway is off by more than ten minutes';
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return `the clock of your device is about ${Math.abs(seconds)} seconds ${way} that of the gateway: set the one that is wrong`;
}
