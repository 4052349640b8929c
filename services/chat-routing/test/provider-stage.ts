import { afterEach, beforeEach } from '@jest/globals';
import { HttpPools } from '../src/providers/http-pools.ts';
import { TestUpstream } from '../src/providers/testing/upstream.ts';

/** What an adapter plays on: an upstream that answers by script, and the pools that reach it. */
export interface Stage {
  upstream: TestUpstream;
  pools: HttpPools;
}

/** Gives a new stage before each test, and closes it after it. */
export function beforeEachOnStage(enter: (stage: Stage) => void): void {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = { upstream: await new TestUpstream().listen(), pools: new HttpPools(1_000) };
    enter(stage);
  });
  afterEach(async () => {
    await stage?.pools.close();
    await stage?.upstream.close();
  });
}
