import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { type RouteFacts } from '../routes/route-facts.ts';
import { VERSION } from '../version.ts';
import { describeOperation } from './operation.ts';

type Document = Record<string, unknown>;

const cache = new Map<string, Document>();

/** The OpenAPI 3.1 document of the data plane. */
export function publicDocument(routes: readonly RouteFacts[]): Document {
  return cached(
    'public',
    routes.filter(({ access }) => access !== 'operator'),
  );
}

/** The same with the operator's surface. */
export function wholeDocument(routes: readonly RouteFacts[]): Document {
  return cached('whole', routes);
}

/** The table does not change while the process lives. */
function cached(name: string, routes: readonly RouteFacts[]): Document {
  const document = cache.get(name) ?? generate(routes);
  cache.set(name, document);
  return document;
}

function generate(routes: readonly RouteFacts[]): Document {
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
      description: 'An OpenAI-compatible conversational gateway.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to where the document was read, so that no forged host can get into it.
    servers: [{ url: '/' }],
  });
  return document as unknown as Document;
}
