import { GatewayError } from '@parley/protos/errors';

/** Characters of a password. */
const MIN_PASSWORD = 12;
// A hash of more costs time and proves nothing.
const MAX_PASSWORD = 1_000;

/** What people add to a word when they must have more characters. */
const ENDING = /[^\p{L}]{1,4}$/u;

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Refuses a new password that would be guessed: too short, among the commonest ones (also repeated, or with up to four digits or signs after it), or the
 * email of its person.
 * @throws GatewayError VALIDATION_ERROR that names `param`
 */
export async function assertGoodPassword(password: string, { email, param }: { email: string | null; param: string }): Promise<void> {
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

/** The shortest text that gives this one when it is repeated. */
function unitOf(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, Math.max(period, 1));
}

/** Read with the first new password: most processes never need it. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const single = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    return new Set([...dictionary['passwords-common'], ...single]);
  });
  return common;
}
