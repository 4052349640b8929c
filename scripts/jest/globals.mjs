// What `@jest/globals` is to test files and to the modules that they share. The bindings are live: each test file has its own.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

/** Puts the globals of the next test file in place. */
export function use(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
