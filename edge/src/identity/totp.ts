import { generateSecret, generateURI, verifySync } from 'otplib';

const ISSUER = 'Parley';
/** Length of a time step in seconds (RFC 6238, section 5.2). */
const PERIOD = 30;
/** How far a clock is looked for that is wrong. */
const SEARCH = 20 * PERIOD;

/** A new secret for an authenticator app. */
export interface TotpSecret {
  /** Base32. */
  secret: string;
  /** `otpauth://`, which a page may draw as a QR code. */
  uri: string;
}

/** A new secret of 160 bits (RFC 4226, section 4). */
export function newTotpSecret(label: string): TotpSecret {
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: ISSUER, label, secret }) };
}

/** The time step that a code is of: the current one, the one before it or the one after it; undefined for any other code. */
export function stepOfCode(secret: string, code: string, nowMs = Date.now()): number | undefined {
  return verify(secret, code, PERIOD, nowMs)?.step;
}

/**
 * How many seconds the clock is wrong that a refused code was made with, at most ten minutes; undefined where none explains it.
 * Only for who knows the secret: a guess would learn from it which code is accepted later.
 */
export function clockErrorOf(secret: string, code: string, nowMs = Date.now()): number | undefined {
  return verify(secret, code, SEARCH, nowMs)?.errorSeconds;
}

function verify(secret: string, token: string, epochTolerance: number, nowMs: number) {
  const result = verifySync({ strategy: 'totp', secret, token, epochTolerance, epoch: Math.floor(nowMs / 1_000) });
  return result.valid && 'timeStep' in result ? { step: result.timeStep, errorSeconds: result.delta * PERIOD } : undefined;
}
