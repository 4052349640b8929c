import config from './knip.json' with { type: 'json' };

const { '.': root, 'services/kit': kit, ...others } = config.workspaces;

/** `knip --production`: code that only tests use. An export that its own file uses may be exported for a test. */
export default {
  ...config,
  workspaces: {
    '.': { ...root, ignore: ['scripts/lint/**'] },
    'services/kit': { ...kit, ignore: ['src/**/testing/**'] },
    ...others,
  },
  ignoreExportsUsedInFile: true,
  // Its importer is the command `connections/test.ts`, which knip takes for a test.
  ignoreIssues: { 'deploy/cli/gateway/response-schemas.ts': ['exports'] },
};
