import { expect, it } from '@jest/globals';
import { RequestWindow } from './request-window.ts';

it('lets a number of requests through in a minute and tells how long to wait', () => {
  const window = new RequestWindow();
  expect([window.take(2, 1_000), window.take(2, 2_000), window.take(2, 3_500)]).toEqual([0, 0, 58]);
  expect(window.take(2, 60_999)).toBe(1);
  expect(window.take(2, 61_000)).toBe(0);
});
