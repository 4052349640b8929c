import { describe, expect, it } from '@jest/globals';
import { hash, parseOptions } from '@node-rs/argon2';
import { DUMMY_PASSWORD_HASH, ARGON2_PARAMETERS, PasswordHasher } from './password-hasher.ts';
import { requireStrongPassword } from './require-strong-password.ts';

const PASSWORD = 'four quiet harbour lamps';

describe('passwords', () => {
  it('are argon2id, and the hash for unknown users costs the same', async () => {
    const stored = await new PasswordHasher().hash(PASSWORD);
    expect(stored).toMatch(/^\$argon2id\$/);
    expect(parseOptions(stored)).toMatchObject(ARGON2_PARAMETERS);
    expect(parseOptions(DUMMY_PASSWORD_HASH)).toEqual(parseOptions(stored));
  });

  it('are verified, in whatever form the characters were typed', async () => {
    const passwords = new PasswordHasher();
    const stored = await passwords.hash('ﬁve caf\u00e9s by the sea');
    expect(await passwords.verify(stored, 'five cafe\u0301s by the sea')).toBe(true);
    expect(await passwords.verify(stored, 'five cafes by the sea')).toBe(false);
    expect(await passwords.verify(null, 'anything')).toBe(false);
  });

  it('that were hashed with other parameters need a rehash', async () => {
    const passwords = new PasswordHasher();
    expect(passwords.needsRehash(await hash(PASSWORD, { ...ARGON2_PARAMETERS, memoryCost: 8_192 }))).toBe(true);
    expect(passwords.needsRehash(await passwords.hash(PASSWORD))).toBe(false);
  });

  it('wait in a queue that ends, and that goes on afterwards', async () => {
    const passwords = new PasswordHasher(3);
    const hashes = Array.from({ length: 8 }, () => passwords.verify(null, PASSWORD));
    const settled = await Promise.allSettled(hashes);
    expect(settled.map(({ status }) => status)).toEqual([...Array<string>(5).fill('fulfilled'), ...Array<string>(3).fill('rejected')]);
    expect(settled[7]).toMatchObject({ reason: { condition: 'SERVICE_UNAVAILABLE' } });
    expect(await passwords.verify(null, PASSWORD)).toBe(false);
  });
});

describe('a new password', () => {
  const check = (password: string) => requireStrongPassword(password, { email: 'ada.lovelace.1815@example.com', param: 'password' });

  it.each([
    ['is too short', 'elevenchars', 'at least 12'],
    ['is too long', 'x1'.repeat(600), 'at most 1000'],
    ['is among the commonest', '1q2w3e4r5t6y', 'commonest'],
    ['is in capitals', '1Q2W3E4R5T6Y', 'commonest'],
    ['is a common one with an ending', 'Password1234', 'commonest'],
    ['is a common one twice', 'dragondragon', 'commonest'],
    ['is one character', 'zzzzzzzzzzzzzz', 'commonest'],
    ['is the email', 'ada.lovelace.1815@example.com', 'email'],
    ['is the name in the email', 'Ada.Lovelace.1815', 'email'],
  ])('is refused when it %s', async (_name, password, problem) => {
    await expect(check(password)).rejects.toMatchObject({
      condition: 'VALIDATION_ERROR',
      param: 'password',
      message: expect.stringContaining(problem),
    });
  });

  it.each([PASSWORD, 'пять тихих фонарей', 'x9$kQ2!vLp0&'])('may be %s', async (password) => {
    await expect(check(password)).resolves.toBeUndefined();
  });
});
