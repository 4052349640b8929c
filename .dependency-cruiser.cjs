/** What is no service, and may be imported by those. */
const LIBRARIES = 'kit|file-content';
// chat-routing: one direction. Each layer may import those that follow it in this list.
const CHAT_ROUTING = [
  ...['main', 'server', 'handlers', 'turn', 'files', 'projects', 'conversation'],
  ...['config|heartbeat', 'accounts', 'store', 'providers', 'domain'],
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
/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'services-are-islands',
      comment: 'A service talks to another over gRPC or NATS, never by import.',
      severity: 'error',
      from: { path: SERVICE },
      to: { path: SERVICE, pathNot: '^services/$1/' },
    },
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
    { name: 'nobody-imports-deploy', severity: 'error', from: { pathNot: '^deploy/' }, to: { path: '^deploy/' } },
    {
      name: 'downhill-only',
      comment: 'main > server > handlers, events > domain, store, providers. Never back up.',
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
      comment: 'What calls without the kit would call without a deadline. protos knows its status codes.',
      severity: 'error',
      from: { path: '^(services|edge|deploy)/', pathNot: '^services/kit/src/rpc/|^deploy/docker/health\\.mjs$' },
      to: { path: 'node_modules/@grpc/grpc-js/' },
    },
    {
      name: 'ai-sdk-when-used',
      comment: 'Each of its packages costs memory and start time, which only the connections that need it pay. Types cost nothing.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: 'node_modules/@ai-sdk/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    ...CHAT_ROUTING_DIRECTION,
    { name: 'express-only-in-edge', severity: 'error', from: { pathNot: '^edge/' }, to: { path: 'node_modules/express/' } },
    {
      name: 'no-dev-deps-in-src',
      severity: 'error',
      from: { path: '^(protos|services|edge)/.*src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:edge|protos|deploy|services/[^/]+)/dist/|/generated/prisma/(internal|models|commonInputTypes)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['@parley/source', 'import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
