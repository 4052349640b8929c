/** Exponential backoff: the wait after the `times`-th failure in a row (from 1) is `first`, doubled each time, up to `most`. */
export function toBackoff(first: number, times: number, most: number): number {
  return Math.min(first * 2 ** (times - 1), most);
}
