import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { MEMORY_POLICIES } from '../../domain/memory-policy.ts';
import { type JsonRequest, type HttpPools } from '../http-pools.ts';
import { type UpstreamProjectDetails, type ProjectOperations } from '../project-operations.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { uploadFile } from './files.ts';
import { toBearerHeader } from './session.ts';
import { projectSchema, projectFilesSchema, toResponseError } from './wire.ts';

/** Project operations on the sandbox's native projects, with instructions, files and memory. */
export function createSandboxProjectOperations(pools: HttpPools): ProjectOperations {
  const call = (connection: UpstreamConnection, path: string, request: JsonRequest) =>
    pools.requestJson(connection.baseUrl, path, { ...request, headers: toBearerHeader(connection) }, refusedProject);
  return {
    memoryPolicies: MEMORY_POLICIES,
    create: async (connection, { name, instructions, memoryPolicy }) => {
      const body = { name, ...(instructions && { instructions }), memory_policy: memoryPolicy };
      return toFacts(await call(connection, '/api/projects', { method: 'POST', body }));
    },
    update: async (connection, upstreamRef, change) =>
      void (await call(connection, toPath(upstreamRef), { method: 'PATCH', body: change })),
    remove: (connection, upstreamRef) => unlessGone(call(connection, toPath(upstreamRef), { method: 'DELETE' })),
    get: async (connection, upstreamRef) => toFacts(await call(connection, toPath(upstreamRef), { method: 'GET' })),
    addFile: (connection, projectRef, file) =>
      uploadFile(pools, connection, `${toPath(projectRef)}/files`, file).catch((error: unknown) => {
        throw ofProject(toGatewayError(error));
      }),
    removeFile: (connection, projectRef, fileRef) =>
      unlessGone(call(connection, `${toPath(projectRef)}/files/${encodeURIComponent(fileRef)}`, { method: 'DELETE' })),
    listFileStatuses: async (connection, projectRef) => {
      const parsed = projectFilesSchema.safeParse(await call(connection, `${toPath(projectRef)}/files`, { method: 'GET' }));
      if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not list the files of the project');
      return new Map(parsed.data.files.map(({ id, status }) => [id, status]));
    },
  };
}

function toPath(upstreamRef: string): string {
  return `/api/projects/${encodeURIComponent(upstreamRef)}`;
}

/** Converts an error response of a project call: a missing project becomes PROJECT_NOT_FOUND. */
function refusedProject(...refusal: Parameters<typeof toResponseError>): GatewayError {
  return ofProject(toResponseError(...refusal));
}

function ofProject(error: GatewayError): GatewayError {
  if (error.condition !== 'CONVERSATION_PROJECT_UNAVAILABLE') return error;
  return new GatewayError('PROJECT_NOT_FOUND', 'the account has no such project upstream');
}

function toFacts(body: unknown): UpstreamProjectDetails {
  const parsed = projectSchema.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the sandbox did not return the project');
  const { id, name, instructions, memory_policy: memoryPolicy } = parsed.data;
  return { upstreamRef: id, name, instructions: instructions ?? '', memoryPolicy, memoryPolicyStatus: 'verified' };
}

async function unlessGone(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof GatewayError && GONE.has(error.condition))) throw error;
  });
}

const GONE: ReadonlySet<string> = new Set(['PROJECT_NOT_FOUND', 'ASSET_NOT_FOUND']);
