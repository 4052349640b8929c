import { afterAll, afterEach } from '@jest/globals';
import { disagreements, watched } from './watch.ts';

globalThis.fetch = watched(globalThis.fetch);

afterEach(expectAgreement);
// What ends with its gateway may end after the last test.
afterAll(expectAgreement);

function expectAgreement(): void {
  const wrong = disagreements();
  if (wrong.length > 0) throw new Error(`the API description does not describe what was exchanged:\n${wrong.join('\n')}`);
}
