import { generateSecret, generateURI, verifySync } from 'otplib';

const ISSUER = 'Parley';
/** Length of a time step in seconds (RFC 6238, section 5.2). */
const PERIOD = 30;
/** Largest clock error that `findClockErrorSeconds` finds, in seconds. */
const SEARCH = 20 * PERIOD;

/** A new secret for an authenticator app, in two forms. */
export interface TotpSecret {
  /** In Base32. */
  secret: string;
  /** `otpauth://` URI, which a page may show as a QR code. */
  uri: string;
}

/** Creates a secret of 160 bits (RFC 4226, section 4); `label` is the account name in the app. */
export function newTotpSecret(label: string): TotpSecret {
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: ISSUER, label, secret }) };
}

/** Returns the time step of a code, which may be the current one, the previous or the next; undefined for any other code. */
export function findTotpStep(secret: string, code: string, nowMs = Date.now()): number | undefined {
  return verify(secret, code, PERIOD, nowMs)?.step;
}

/**
 * Returns the clock error with which a rejected code was created, in seconds: positive when that clock is ahead, at most ten minutes;
 * undefined when no such error explains the code. Call it only for a person who knows the secret: a guesser would learn which code is
 * accepted later.
 */
export function findClockErrorSeconds(secret: string, code: string, nowMs = Date.now()): number | undefined {
  return verify(secret, code, SEARCH, nowMs)?.errorSeconds;
}

function verify(secret: string, token: string, epochTolerance: number, nowMs: number) {
  const result = verifySync({ strategy: 'totp', secret, token, epochTolerance, epoch: Math.floor(nowMs / 1_000) });
  return result.valid && 'timeStep' in result ? { step: result.timeStep, errorSeconds: result.delta * PERIOD } : undefined;
}
