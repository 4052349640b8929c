import { describe, expect, it } from '@jest/globals';
import { AssetEventSequence } from './asset-event-sequence.ts';

/** Events of an asset that has these statuses, one after the other. */
function eventsFor(...statuses: string[]): string[] {
  const progress = new AssetEventSequence();
  return statuses.flatMap((status) => progress.advance({ status })).map((step) => step.replace('asset.', ''));
}

describe('AssetEventSequence', () => {
  it.each([
    ['as it happens', ['discovered', 'downloading', 'validating', 'ready'], ['discovered', 'processing', 'ready']],
    ['when steps were missed', ['ready'], ['discovered', 'processing', 'ready']],
    ['when steps come late', ['validating', 'discovered', 'downloading', 'ready', 'downloading'], ['discovered', 'processing', 'ready']],
    ['when everything comes twice', ['discovered', 'discovered', 'ready', 'ready'], ['discovered', 'processing', 'ready']],
    ['when it fails at work', ['downloading', 'failed'], ['discovered', 'processing', 'failed']],
    ['when it fails before anybody looks', ['discovered', 'failed'], ['discovered', 'processing', 'failed']],
    ['when it is tried again after its end', ['failed', 'discovered', 'downloading', 'ready'], ['discovered', 'processing', 'failed']],
    ['when a status is unknown', ['frozen', 'downloading'], ['discovered', 'processing']],
  ])('sends each event once and in order %s', (_when, statuses, steps) => {
    expect(eventsFor(...statuses)).toEqual(steps);
  });

  it('is complete when it is ready or failed', () => {
    const progress = new AssetEventSequence();
    progress.advance({ status: 'validating' });
    expect(progress.isComplete).toBe(false);
    progress.advance({ status: 'failed' });
    expect(progress.isComplete).toBe(true);
  });
});
