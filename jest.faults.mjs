import config from './jest.config.mjs';

const e2e = config.projects.find(({ displayName }) => displayName === 'e2e');

/** `npm run test:faults`: every fault, the long ones too; one file at a time, because each of them may take the whole machine. */
export default {
  ...config,
  maxWorkers: 1,
  projects: [
    { ...e2e, displayName: 'faults', testMatch: ['<rootDir>/deploy/e2e/faults/**/*.test.ts'], testPathIgnorePatterns: ['/node_modules/'] },
  ],
};
