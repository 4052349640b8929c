/** Packages under `services` that are libraries, which services may import. */
const LIBRARIES = 'kit|file-content';
// chat-routing: one direction. Each layer may import those that follow it in this list.
const CHAT_ROUTING = [
  ...['main', 'server', 'handlers', 'turn', 'files', 'projects', 'conversation'],
  ...['config|heartbeat', 'connections', 'store', 'providers', 'domain'],
];
const CHAT_ROUTING_SRC = (layers) => `^services/chat-routing/src/(?:${layers.join('|')})(?:/|\\.ts)`;
const CHAT_ROUTING_DIRECTION = CHAT_ROUTING.slice(1).map((layer, at) => ({
  name: `chat-routing-one-direction-${layer.replace('|', '-')}`,
  comment: `The layers of chat-routing, and no import goes back: ${CHAT_ROUTING.join(' > ')}.`,
  severity: 'error',
  from: { path: CHAT_ROUTING_SRC([layer]), pathNot: '\\.test\\.ts$|/testing/' },
  to: { path: CHAT_ROUTING_SRC(CHAT_ROUTING.slice(0, at + 1)) },
}));
// chat-routing: one direction, end.

const SERVICE = `^services/(?!(?:${LIBRARIES})/)([^/]+)/`;
// ---- edge: one direction ----
/** Folders and files of edge/src from top to bottom: each imports only from those after it. A new one gets its place here. */
const EDGE_LAYERS = [
  ...['main', 'server', 'http', 'routes'],
  // Features
  ...['admission', 'assets', 'console', 'downloads', 'openapi', 'readiness', 'sse', 'identity', 'keys', 'quota', 'watch'],
  ...['wire', 'middleware', 'store', 'clients', 'config', 'generated'],
];
const inEdge = (layers) => `^edge/src/(?:${layers.join('|')})(?:/|\\.ts$)`;
const EDGE_RULES = [
  ...EDGE_LAYERS.slice(1).map((layer, above) => ({
    name: `edge-${layer}-imports-only-below`,
    comment: 'main > server > http > routes > features > wire > middleware > store > config. Tests may look upwards.',
    severity: 'error',
    from: { path: inEdge([layer]), pathNot: '\\.test\\.ts$' },
    to: { path: inEdge(EDGE_LAYERS.slice(0, above + 1)) },
  })),
  {
    name: 'edge-folders-have-a-layer',
    comment: 'A folder or file of edge/src that EDGE_LAYERS does not name.',
    severity: 'error',
    from: { path: '^edge/src/' },
    to: { path: '^edge/src/', pathNot: [inEdge(EDGE_LAYERS), '\\.test\\.ts$'] },
  },
  {
    name: 'edge-operations-are-siblings',
    comment: 'What two folders of operations share is in routes/ itself. The control plane and the surface of people may use the others.',
    severity: 'error',
    from: { path: '^edge/src/routes/(?!admin/|me/)([^/]+)/', pathNot: '\\.test\\.ts$' },
    to: { path: '^edge/src/routes/[^/]+/', pathNot: '^edge/src/routes/$1/' },
  },
];
/** Folders of the console from top to bottom: each imports only from those after it. */
const CONSOLE_LAYERS = ['main', 'app', 'features', 'routing', 'shell', 'live', 'session', 'ui', 'i18n', 'api'];
const inConsole = (layers) => `^edge/console/src/(?:${layers.join('|')})(?:/|\\.tsx?$)`;
const CONSOLE_RULES = [
  ...CONSOLE_LAYERS.slice(1).map((layer, above) => ({
    name: `console-${layer}-imports-only-below`,
    comment: CONSOLE_LAYERS.join(' > '),
    severity: 'error',
    from: { path: inConsole([layer]), pathNot: '\\.test\\.ts$' },
    to: { path: inConsole(CONSOLE_LAYERS.slice(0, above + 1)) },
  })),
  {
    name: 'console-features-are-siblings',
    comment: 'What two features share is in ui, session or live.',
    severity: 'error',
    from: { path: '^edge/console/src/features/([^/]+)/' },
    to: { path: '^edge/console/src/features/', pathNot: '^edge/console/src/features/$1/' },
  },
];
// ---- edge: end ----

// conversation, usage: one direction (begin)
/** Folders and files of the two services from the lowest layer to the highest; a layer imports the ones below it only. */
const RECORD_LAYERS = ['config', 'domain', 'store', 'reaper', 'search', 'capture', 'sweep', 'events', 'deps', 'handlers', 'server', 'main'];
const RECORD_DIRECTION = RECORD_LAYERS.slice(0, -1).map((layer, index) => ({
  name: `record-${layer}-imports-lower-layers-only`,
  comment: `conversation, usage: ${[...RECORD_LAYERS].reverse().join(' > ')}`,
  severity: 'error',
  from: { path: `^services/(conversation|usage)/src/${layer}(/|\\.)`, pathNot: '\\.test\\.ts$' },
  to: { path: `^services/(conversation|usage)/src/(${RECORD_LAYERS.slice(index + 1).join('|')})(/|\\.ts)` },
}));
// conversation, usage: one direction (end)
// kit, asset, audio, actions, file-content: one direction (begin)
/** Folders and root files of `src`, from top to bottom: each imports only what stands below it. */
const ONE_DIRECTION = {
  kit: 'testing downloads leases outbox bus blob rpc db text lifecycle telemetry collections config egress ids secrets log version',
  asset: 'main server config handlers deps events ingest upload sweep http bytes store domain generated',
  audio: 'main server config handlers deps jobs sweep http transcription providers speech engines store domain generated',
  actions: 'main server config handlers deps sweep runs catalog steps document expressions store domain generated',
  'file-content': 'extract reading queue extracted-text limits identify-file-type is-complete-image measure-image content file-types',
};
const oneDirection = Object.entries(ONE_DIRECTION).flatMap(([service, order]) => {
  const src = `^services/${service}/src/`;
  const layers = order.split(' ');
  const path = (names) => `${src}(?:${names.join('|')})(?:/|\\.ts$)`;
  const upward = layers.slice(1).map((layer, index) => ({
    name: `${service}-one-direction`,
    comment: `${layer} stands below ${layers.slice(0, index + 1).join(', ')} in ONE_DIRECTION.`,
    severity: 'error',
    from: { path: path([layer]), pathNot: '\\.test\\.ts$' },
    to: { path: path(layers.slice(0, index + 1)) },
  }));
  const unlisted = {
    name: `${service}-one-direction`,
    comment: 'A new folder or root file needs a place in ONE_DIRECTION.',
    severity: 'error',
    from: { path: `${src}(?!(?:${layers.join('|')})(?:/|\\.ts$))`, pathNot: '\\.test\\.ts$' },
    to: {},
  };
  return [...upward, unlisted];
});
// kit, asset, audio, actions, file-content: one direction (end)

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...RECORD_DIRECTION,
    ...oneDirection,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'services-do-not-import-each-other',
      comment: 'A service talks to another over gRPC or NATS, never by import.',
      severity: 'error',
      from: { path: SERVICE },
      to: { path: SERVICE, pathNot: '^services/$1/' },
    },
    ...EDGE_RULES,
    ...CONSOLE_RULES,
    { name: 'edge-imports-contracts-and-kit', severity: 'error', from: { path: '^edge/src' }, to: { path: '^services/(?!kit/)|^deploy/' } },
    {
      name: 'kit-imports-contracts-only',
      severity: 'error',
      from: { path: '^services/kit/src' },
      to: { path: '^(edge|deploy|services/(?!kit/)|protos/gen/parley/(?!common/|events/))' },
    },
    {
      name: 'file-content-imports-contracts-and-kit',
      severity: 'error',
      from: { path: '^services/file-content/' },
      to: { path: '^(edge|deploy|services/(?!kit/|file-content/)|protos/gen/)' },
    },
    { name: 'protos-are-leaves', severity: 'error', from: { path: '^protos/' }, to: { path: '^(edge|services|deploy)/' } },
    {
      name: 'no-imports-of-deploy',
      comment: 'The test of signing in needs the sandbox itself.',
      severity: 'error',
      from: { pathNot: '^deploy/|^services/chat-routing/test/sign-in-stage\\.ts$' },
      to: { path: '^deploy/' },
    },
    {
      name: 'one-direction-in-a-service',
      comment: 'main > server > handlers, events > domain, store, providers. Never in the other direction.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(domain|store|providers|events)(/|\\.ts)' },
      to: { path: '^services/[^/]+/src/(main|server|handlers)(/|\\.ts)' },
    },
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/', pathNot: '\\.test\\.ts$' },
      to: { path: '^services/[^/]+/src/(store|providers|events)(/|\\.ts)|node_modules/(pg|nats|undici)/' },
    },
    {
      name: 'prisma-only-in-store',
      severity: 'error',
      from: { path: '^(services|edge)/', pathNot: '/src/store(/|\\.ts)|/generated/|^services/kit/src/db/|/test/' },
      to: { path: '/generated/prisma|node_modules/@prisma/' },
    },
    {
      name: 'grpc-only-in-kit',
      comment: 'Calls without the kit would have no deadline. protos uses the status codes of gRPC.',
      severity: 'error',
      from: { path: '^(services|edge|deploy)/', pathNot: '^services/kit/src/rpc/|^deploy/docker/health\\.mjs$' },
      to: { path: 'node_modules/@grpc/grpc-js/' },
    },
    {
      name: 'ai-sdk-when-used',
      comment: 'Each of its packages costs memory and start time, so only connections that need it load it. Type imports cost nothing.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: 'node_modules/@ai-sdk/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    ...CHAT_ROUTING_DIRECTION,
    { name: 'express-only-in-edge', severity: 'error', from: { pathNot: '^edge/' }, to: { path: 'node_modules/express/' } },
    {
      name: 'no-dev-deps-in-src',
      severity: 'error',
      from: { path: '^(protos|services|edge)/.*src/', pathNot: '\\.test\\.ts$|^edge/console/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:edge|edge/console|protos|deploy|services/[^/]+)/dist/|/generated/prisma/(internal|models|commonInputTypes)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['@parley/source', 'import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
