/** Stops the compositions that the test files shared. */
export default async function globalTeardown() {
  await globalThis.parleyCompositionPool.close();
}
