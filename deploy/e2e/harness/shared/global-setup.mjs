import { CompositionPool } from './pool.mjs';

/** Opens the pool of shared compositions; a composition starts when the first test file asks for it. */
export default async function globalSetup() {
  const pool = new CompositionPool();
  globalThis.parleyCompositionPool = pool;
  process.env.PARLEY_TEST_POOL = await pool.listen();
}
