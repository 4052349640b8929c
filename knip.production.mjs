import config from './knip.json' with { type: 'json' };

const kit = config.workspaces['services/kit'];

/** `knip --production`: code that only tests use. An export that its own file uses may be exported for a test. */
export default {
  ...config,
  workspaces: { ...config.workspaces, 'services/kit': { ...kit, ignore: ['src/**/testing/**'] } },
  ignoreExportsUsedInFile: true,
  // Its importer is the command `connections/test.ts`, which knip takes for a test.
  ignoreIssues: { 'deploy/cli/gateway/answers.ts': ['exports'] },
};
