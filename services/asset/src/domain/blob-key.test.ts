import { describe, expect, it } from '@jest/globals';
import { blobKey, parseBlobKey } from './blob-key.ts';

const ID = '01900000-0000-7000-8000-0000000000af';

describe('blobKey', () => {
  it('names an asset and the worker that kept it, and can be read again', () => {
    expect(blobKey(ID, 12)).toBe(`assets/af/${ID}-12`);
    expect(parseBlobKey(blobKey(ID, 12))).toEqual({ assetId: ID, generation: 12 });
  });

  it.each(['assets/af/x-1', `audio/af/${ID}-1`, `assets/af/${ID}`, ''])('does not know %j', (key) => {
    expect(parseBlobKey(key)).toBeUndefined();
  });
});
