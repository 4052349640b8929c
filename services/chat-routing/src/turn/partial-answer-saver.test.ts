import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PartialAnswerSaver } from './partial-answer-saver.ts';
import { type TurnRecorder } from './turn-recorder.ts';

describe('PartialAnswerSaver', () => {
  let now = 0;
  let kept: number[] = [];
  let keeper: PartialAnswerSaver;
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    kept = [];
    const recorder: Pick<TurnRecorder, 'savePartial'> = { savePartial: async (_turnId, text) => void kept.push(text.length) };
    keeper = new PartialAnswerSaver(recorder as TurnRecorder, 'turn');
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Calls `saveIfDue` with a text of this length, so many milliseconds later. */
  async function offer(length: number, laterMs: number): Promise<void> {
    now += laterMs;
    keeper.saveIfDue('x'.repeat(length));
    await Promise.resolve();
    await Promise.resolve();
  }

  it('saves what there is about once a second', async () => {
    await offer(10, 500);
    await offer(20, 500);
    await offer(30, 500);
    await offer(40, 500);
    expect(kept).toEqual([20, 40]);
  });

  it('saves a very long answer less often, so that it writes no more a second', async () => {
    const MEGABYTE = 1_024 * 1_024;
    await offer(MEGABYTE, 1_000);
    await offer(MEGABYTE, 2_900);
    expect(kept).toEqual([]);
    await offer(MEGABYTE, 100);
    expect(kept).toEqual([MEGABYTE]);
  });
});
