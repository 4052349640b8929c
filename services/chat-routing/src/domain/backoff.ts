/** The wait after the nth time in a row, from 1: the first one doubled each time, `most` at most. In the unit of `first`. */
export function toBackoff(first: number, times: number, most: number): number {
  return Math.min(first * 2 ** (times - 1), most);
}
