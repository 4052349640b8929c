import { describe, expect, it } from '@jest/globals';
import { createBlobKeyScheme } from './blob-key-scheme.ts';

const ID = '01900000-0000-7000-8000-0000000000af';
const names = createBlobKeyScheme('assets');

describe('createBlobKeyScheme', () => {
  it('makes a key from id and generation, and parses it', () => {
    expect(names.toKey(ID, 12)).toBe(`assets/af/${ID}-12`);
    expect(names.parse(names.toKey(ID, 12))).toEqual({ id: ID, generation: 12 });
  });

  it.each(['assets/af/x-1', `audio/af/${ID}-1`, `old-assets/af/${ID}-1`, `assets-old/af/${ID}-1`, `assets/af/${ID}`, ''])(
    'does not know %j',
    (key) => {
      expect(names.parse(key)).toBeUndefined();
    },
  );
});
