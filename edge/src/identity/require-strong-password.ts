import { GatewayError } from '@parley/protos/errors';

/** Fewest characters of a password. */
const MIN_PASSWORD = 12;
// Hashing more characters costs time and adds no security.
const MAX_PASSWORD = 1_000;

/** Up to four digits or signs at the end, which people append to a common word. */
const ENDING = /[^\p{L}]{1,4}$/u;

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Rejects a new password that is easy to guess: too short, one of the commonest (also repeated, or with up to four digits or signs after
 * it), or the email of its user.
 * @throws GatewayError VALIDATION_ERROR that names `param`
 */
export async function requireStrongPassword(password: string, { email, param }: { email: string | null; param: string }): Promise<void> {
  const problem = await problemOf(password.normalize('NFKC').toLowerCase(), email);
  if (problem !== undefined) throw new GatewayError('VALIDATION_ERROR', `the password ${problem}`, { param });
}

async function problemOf(password: string, email: string | null): Promise<string | undefined> {
  const { length } = [...password];
  if (length < MIN_PASSWORD) return `must have at least ${MIN_PASSWORD} characters`;
  if (length > MAX_PASSWORD) return `must have at most ${MAX_PASSWORD} characters`;
  if (email !== null && [email, email.split('@', 1)[0]].includes(password)) return 'must not be your email';
  const guessed = await commonPasswords();
  const forms = [password, password.replace(ENDING, '')];
  return forms.some((form) => guessed.has(unitOf(form))) ? 'is one of the commonest' : undefined;
}

/** The shortest text whose repetition is this text. */
function unitOf(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, Math.max(period, 1));
}

/** Loaded with the first new password: most processes never need the list. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const single = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    return new Set([...dictionary['passwords-common'], ...single]);
  });
  return common;
}
