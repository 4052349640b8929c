import Sequencer from '@jest/test-sequencer';

/** Projects in the order in which their files start; within a project jest's own order, the longest first as far as it knows. */
const ORDER = ['e2e', 'faults', 'integration', 'unit'];

/** Starts the long test files first, so that no core waits for one at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ context }) => ORDER.indexOf(context.config.displayName?.name);
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
