// The package has types that its `exports` do not name.
declare module '@prometheus-io/lezer-promql' {
  import { type LRParser } from '@lezer/lr';

  export const parser: LRParser;
}
