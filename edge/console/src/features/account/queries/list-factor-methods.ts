import { type FactorMethod } from '../../../session/factor-form.tsx';
import { type SecondFactors } from './account.ts';

/** Returns the methods by which a user can present a second factor; none without one. */
export function listFactorMethods(factors: SecondFactors | undefined): FactorMethod[] {
  if (!factors || (factors.totp === null && factors.passkeys === 0)) return [];
  return [
    ...(factors.totp === null ? [] : (['totp'] as const)),
    ...(factors.passkeys === 0 ? [] : (['passkey'] as const)),
    ...(factors.recovery_codes === 0 ? [] : (['recovery_code'] as const)),
  ];
}
