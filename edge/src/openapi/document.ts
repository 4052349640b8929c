import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { VERSION } from '../version.ts';
import { finish } from './finish.ts';
import { describeOperation } from './operation.ts';
import { type RouteSpec } from './route-spec.ts';
import { describeTags } from './tags.ts';

/** An OpenAPI document, as JSON. */
export type Document = Record<string, unknown>;

const INTRODUCTION = `An OpenAI-compatible conversational gateway: chat over connected accounts, with persistent conversations, projects, files, assets and audio.

Send a key of your workspace as \`Authorization: Bearer gmk_live_…\`. \`GET /v1/capabilities\` says what is enabled. Every answer has \`X-Request-Id\`; an error
is \`{"error": {code, message, type, param, request_id, retryable}}\`, and each response names the codes it may carry in \`x-error-codes\`.
Lists answer a plain array with \`X-Total-Count\` and \`Link\`.`;

/** The OpenAPI 3.1 document of the data plane. */
export function publicDocument(routes: readonly RouteSpec[]): Document {
  return generate(routes.filter(({ access }) => access !== 'operator'));
}

/** The same with the operator's surface. */
export function wholeDocument(routes: readonly RouteSpec[]): Document {
  return generate(routes);
}

function generate(routes: readonly RouteSpec[]): Document {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'A workspace API key, `gmk_live_…`.',
  });
  if (routes.some(({ access }) => access === 'operator')) {
    registry.registerComponent('securitySchemes', 'operatorKey', { type: 'http', scheme: 'bearer', description: 'The operator’s key.' });
  }
  for (const route of routes) registry.registerPath(describeOperation(route));
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to where the document was read, so that no forged host can get into it.
    servers: [{ url: '/', description: 'Where this description was read.' }],
    tags: describeTags(routes),
  });
  return finish(document);
}
