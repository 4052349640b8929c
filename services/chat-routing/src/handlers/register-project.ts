import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type Project, type RegisterProjectRequest } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { toSlug } from '../domain/slug.ts';
import { requireProjectConnection } from '../projects/project-connection.ts';
import { toProject } from '../projects/project-record.ts';
import { runProjectOperation, requireProjectOperations } from '../projects/run-project-operation.ts';
import { insertProject } from '../store/projects.ts';
import { requireOwnConnection } from './require-own-connection.ts';

/**
 * RPC RegisterProject: registers a project that already exists at the upstream; it cannot be selected before it is bound. Throws
 * VALIDATION_ERROR, TENANT_ACCESS_DENIED, CONNECTION_NOT_FOUND, the error of a connection that is not usable, UPSTREAM_PROJECT_NOT_FOUND,
 * PROJECT_ALREADY_EXISTS, and other coded errors of the upstream.
 */
export async function registerProject(deps: Deps, request: RegisterProjectRequest, call: Call): Promise<Project> {
  const { workspaceId } = call.caller;
  const { upstreamAccountId, upstreamReference } = request;
  if (upstreamReference === '')
    throw new GatewayError('VALIDATION_ERROR', 'upstream_reference must not be empty', { param: 'upstream_reference' });
  const { id: connectionId } = await requireOwnConnection(
    deps,
    await deps.connections.listChat(workspaceId),
    workspaceId,
    upstreamAccountId,
  );
  const connection = await requireProjectConnection(deps, { workspaceId, connectionId });
  requireProjectOperations(connection);
  const facts = await runProjectOperation(deps, connection, undefined, (projects, upstream) =>
    projects.get(upstream, upstreamReference),
  ).catch(unknownProject);
  const { name, instructions } = facts;
  const project = {
    ...facts,
    id: uuidv7(),
    workspaceId,
    connectionId,
    slug: toSlug(name),
    instructions: instructions || null,
    bound: false,
  };
  const stored = await insertProject(deps.store, project, 'account');
  deps.log.info({ requestId: call.caller.requestId, projectId: stored.id, connectionId }, 'project registered');
  return toProject(stored);
}

function unknownProject(error: unknown): never {
  if (!(error instanceof GatewayError) || error.condition !== 'PROJECT_NOT_FOUND') throw error;
  throw new GatewayError('UPSTREAM_PROJECT_NOT_FOUND', 'the account has no such project upstream', {
    param: 'upstream_reference',
    cause: error,
  });
}
