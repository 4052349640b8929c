import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { readSealedKeyId, SecretBox } from './secret-box.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });
const [old, current] = [key('old'), key('k2')];
const ID = '01900000-0000-7000-8000-00000000000a';

describe('SecretBox', () => {
  const box = new SecretBox([current, old]);

  it('opens what it sealed, whatever it was', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'binary' }), (id, secret) => expect(box.open(id, box.seal(id, secret))).toBe(secret)),
    );
  });

  it('never seals the same twice alike, and shows nothing of the secret', () => {
    const [one, two] = [box.seal(ID, 'sk-very-secret'), box.seal(ID, 'sk-very-secret')];
    expect(one.equals(two)).toBe(false);
    expect(one.toString('latin1')).not.toContain('secret');
    expect(readSealedKeyId(one)).toBe('k2');
  });

  it('opens what an older key sealed, until that key is gone', () => {
    const sealed = new SecretBox([old]).seal(ID, 'sk');
    expect(readSealedKeyId(sealed)).toBe('old');
    expect(box.open(ID, sealed)).toBe('sk');
    expect(() => new SecretBox([current]).open(ID, sealed)).toThrow('no secret key with id old');
  });

  it('does not open under another connection', () => {
    const sealed = box.seal(ID, 'sk');
    expect(() => box.open('01900000-0000-7000-8000-00000000000b', sealed)).toThrow();
  });

  it('does not open what was changed or cut anywhere', () => {
    const sealed = box.seal(ID, 'sk-very-secret');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(ID, changed)).toThrow();
      expect(() => box.open(ID, sealed.subarray(0, at))).toThrow();
    }
  });

  it('does not open with another key of the same id', () => {
    expect(() => new SecretBox([key('k2')]).open(ID, box.seal(ID, 'sk'))).toThrow();
  });

  it('needs keys, each id once', () => {
    expect(() => new SecretBox([])).toThrow();
    expect(() => new SecretBox([key('a'), key('a')])).toThrow();
  });
});
