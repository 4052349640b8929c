import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { GatewayError } from '@parley/protos/errors';
import { updatePasskeyCounter } from '../store/passkeys.ts';
import { consumeRecoveryCode } from '../store/recovery-codes.ts';
import { type SecondFactors } from '../store/second-factors.ts';
import { type SessionRecord, type DatabaseOrTransaction } from '../store/sessions.ts';
import { findTotpDevice, consumeTotpStep } from '../store/totp-devices.ts';
import { type VerifiedAssertion, passkeyRefused } from './passkeys.ts';
import { recoveryCodeDigest } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';

/** A second factor that a person presents: a code of the authenticator app, a recovery code, or a verified passkey assertion. */
export type PresentedFactor =
  | { factor: 'totp'; code: string }
  | { factor: 'recovery_code'; code: string }
  | { factor: 'passkey'; assertion: VerifiedAssertion };

/** How long a presented factor counts as recent, in milliseconds. */
const FRESH_MS = 10 * 60_000;

/** True for a person who has an authenticator app or a passkey. */
export function hasSecondFactor({ totpConfirmedAt, passkeys }: Pick<SecondFactors, 'totpConfirmedAt' | 'passkeys'>): boolean {
  return totpConfirmedAt !== null || passkeys > 0;
}

/**
 * Allows a person without a factor to add the first one; any other change needs a session whose second factor was presented within ten
 * minutes.
 * @throws GatewayError SECOND_FACTOR_REQUIRED
 */
export function requireFactorChangeAllowed({ isStrong, createdAt }: SessionRecord, shownAt: Date | null, factors: SecondFactors): void {
  const lastMs = Math.max(createdAt.getTime(), shownAt?.getTime() ?? 0);
  if (!hasSecondFactor(factors) || (isStrong && Date.now() - lastMs < FRESH_MS)) return;
  throw new GatewayError('SECOND_FACTOR_REQUIRED', 'show your second factor again: POST /me/v1/second-factors/verify');
}

/** Consumes a second factor, in the transaction of the change that it authorises. @throws GatewayError SIGN_IN_FAILED */
export async function consumeSecondFactor(
  tx: DatabaseOrTransaction,
  secrets: SecretBox,
  userId: string,
  shown: PresentedFactor,
): Promise<void> {
  if (!(await isAccepted(tx, secrets, userId, shown))) throw refusalOf(shown);
}

async function isAccepted(tx: DatabaseOrTransaction, secrets: SecretBox, userId: string, shown: PresentedFactor): Promise<boolean> {
  switch (shown.factor) {
    case 'totp': {
      const device = await findTotpDevice(tx, userId);
      const step = device?.secret ? findTotpStep(secrets.open(userId, device.secret), shown.code) : undefined;
      return step !== undefined && consumeTotpStep(tx, userId, step);
    }
    case 'recovery_code':
      return consumeRecoveryCode(tx, userId, recoveryCodeDigest(shown.code));
    case 'passkey': {
      const { credential, counter } = shown.assertion;
      return credential.userId === userId && updatePasskeyCounter(tx, credential, counter);
    }
  }
}

function refusalOf({ factor }: PresentedFactor): GatewayError {
  if (factor === 'passkey') return passkeyRefused();
  if (factor === 'recovery_code') return new GatewayError('SIGN_IN_FAILED', 'the recovery code is wrong or was used');
  return new GatewayError(
    'SIGN_IN_FAILED',
    'the code is wrong or was used; if it is neither, the clock of your device or of the gateway is off by more than 30 seconds',
  );
}
