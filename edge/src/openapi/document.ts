import { OpenApiGeneratorV31, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { VERSION } from '@parley/kit/version';
import { completeDocument } from './complete-document.ts';
import { describeOperation } from './operation.ts';
import { type RouteSpec } from './route-spec.ts';
import { SECURITY_SCHEME_BY_ACCESS, SECURITY_SCHEMES } from './security.ts';
import { describeTags } from './tags.ts';

/** An OpenAPI document as a JSON object. */
export type OpenApiDocument = Record<string, unknown>;

const INTRODUCTION = `An OpenAI-compatible conversational gateway: chat over connected accounts, with persistent conversations, projects, files, assets and audio.

Send a key of your workspace as \`Authorization: Bearer gmk_live_…\`. \`GET /v1/capabilities\` says what is enabled. Every answer has \`X-Request-Id\`; an error
is \`{"error": {code, message, type, param, request_id, retryable}}\`, and each response names the codes it may carry in \`x-error-codes\`.
Lists answer a plain array with \`X-Total-Count\` and \`Link\`; of more than 10,000 conversations the total is left out.`;

const INTRODUCTION_FOR_PEOPLE = `What signed-in people do: sign-in, their own account, and every operation of \`/v1\` as \`/me/v1/…\`.

Send the session cookie; a method that changes something also needs \`X-CSRF-Token\` (of \`GET /me/v1/session\`) and an \`Origin\` of the gateway. Operations
of \`/v1\` act in the workspace that \`X-Service-Workspace\` names. Every answer has \`X-Request-Id\`; an error is
\`{"error": {code, message, type, param, request_id, retryable}}\`, and each response names the codes it may carry in \`x-error-codes\`.`;

/** The access kinds of the operations in each description. */
const SURFACES = { public: ['public', 'key'], me: ['visitor', 'provider', 'session'], whole: ['public', 'key', 'admin'] } as const;

/** Returns the OpenAPI 3.1 document of the data plane. */
export function createPublicDocument(routes: readonly RouteSpec[]): OpenApiDocument {
  return generate(ofSurface(routes, 'public'));
}

/** Returns the OpenAPI 3.1 document of the data plane and the control plane. */
export function createWholeDocument(routes: readonly RouteSpec[]): OpenApiDocument {
  return generate(ofSurface(routes, 'whole'));
}

/** Returns the OpenAPI 3.1 document of the operations of people (`/me`). */
export function createMeDocument(routes: readonly RouteSpec[]): OpenApiDocument {
  return generate(ofSurface(routes, 'me'), INTRODUCTION_FOR_PEOPLE);
}

function ofSurface(routes: readonly RouteSpec[], surface: keyof typeof SURFACES): RouteSpec[] {
  const accesses: readonly string[] = SURFACES[surface];
  const isOfSurface = ({ access, path }: RouteSpec) => accesses.includes(access) && (surface !== 'public' || !path.startsWith('/admin/'));
  return routes.filter(isOfSurface);
}

function generate(routes: readonly RouteSpec[], introduction = INTRODUCTION): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    if (routes.some(({ access }) => SECURITY_SCHEME_BY_ACCESS[access] === name))
      registry.registerComponent('securitySchemes', name, scheme);
  }
  for (const route of routes) registry.registerPath(describeOperation(route));
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: VERSION,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the URL of the document, so that no forged host can get into it.
    servers: [{ url: '/', description: 'Where this description was read.' }],
    tags: describeTags(routes),
  });
  return completeDocument(document);
}
