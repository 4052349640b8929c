const base = {
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } }],
    '^.+\\.tsx$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } }, target: 'es2023' } },
    ],
  },
  testEnvironmentOptions: { customExportConditions: ['@parley/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.parley/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};

/** Faults that take their time: `npm run test:faults` has them, `npm test` has not. */
const LONG = '/deploy/e2e/faults/long/';

/** unit: beside the code, no I/O but loopback. integration: real PostgreSQL and NATS. e2e: the whole composition over HTTP. */
export default {
  // Waits have bounds of their own of a minute and more, which tell more when they are passed: a test is some of them.
  testTimeout: 300_000,
  // Twice the two cores of the machines that run these: test files of real processes wait for half of their time.
  maxWorkers: 4,
  testSequencer: '<rootDir>/scripts/longest-first.mjs',
  // What test files leave behind in a worker would come to gigabytes, and its collection to pauses of seconds.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{protos,edge,edge/console,services/*}/src/**/*.test.ts',
        '<rootDir>/deploy/{cli,local,bench,observability,helm}/**/*.test.ts',
      ],
    },
    {
      ...base,
      displayName: 'integration',
      testMatch: ['<rootDir>/{services/*,edge}/test/**/*.test.ts'],
      globalSetup: '<rootDir>/deploy/local/testing/global-setup.mjs',
      globalTeardown: '<rootDir>/deploy/local/testing/global-teardown.mjs',
    },
    {
      ...base,
      displayName: 'e2e',
      // Test files of the same settings follow each other on one composition.
      globalSetup: '<rootDir>/deploy/e2e/harness/shared/global-setup.mjs',
      globalTeardown: '<rootDir>/deploy/e2e/harness/shared/global-teardown.mjs',
      // Every exchange with a gateway is held against its own API description.
      setupFilesAfterEnv: ['<rootDir>/deploy/e2e/harness/description/setup.ts'],
      testMatch: ['<rootDir>/deploy/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, LONG],
    },
  ],
};
