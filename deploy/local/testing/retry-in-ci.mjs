import { jest } from '@jest/globals';

// CI runs on shared machines: a test of real processes that fails once runs again, with its first failure in the log and in the summary of .ci/run.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
