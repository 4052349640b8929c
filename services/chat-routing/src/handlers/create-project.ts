import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type CreateProjectRequest, type Project } from '@parley/protos/routing/v1/project';
import { requireAvailableConnection } from '../connections/connection-plan.ts';
import { type Connection } from '../connections/connection.ts';
import { listEligibleConnections } from '../connections/eligible-connections.ts';
import { type Deps } from '../deps.ts';
import { type MemoryPolicy, readMemoryPolicy, toReportedPolicy } from '../domain/memory-policy.ts';
import { toSlug } from '../domain/slug.ts';
import { toProject } from '../projects/project-record.ts';
import { runProjectOperation, requireProjectOperations } from '../projects/run-project-operation.ts';
import { findStoredProject, insertProject, requireFreeSlug } from '../store/projects.ts';
import { CONNECTION_PARAM, requireOwnConnection } from './require-own-connection.ts';

/**
 * RPC CreateProject: creates a project at the upstream of the named connection, or of the best one, and stores it as bound. Throws
 * INVALID_MEMORY_POLICY, TENANT_ACCESS_DENIED, CONNECTION_NOT_FOUND, the error of a connection that is not usable, PROJECT_ALREADY_EXISTS,
 * and PROJECT_CREATE_FAILED. When storing fails, the project is deleted at the upstream again.
 */
export async function createProject(deps: Deps, request: CreateProjectRequest, call: Call): Promise<Project> {
  const { workspaceId } = call.caller;
  const { name, instructions = '', upstreamAccountId } = request;
  const asked = readMemoryPolicy(request.memoryPolicy);
  const connection = await requireTargetConnection(deps, upstreamAccountId, asked, workspaceId);
  // A caller that lets the gateway choose the connection must not get two projects with the same slug.
  const scope = upstreamAccountId ? 'account' : 'workspace';
  const project = { id: uuidv7(), workspaceId, connectionId: connection.id, slug: toSlug(name) };
  await requireFreeSlug(deps.store.database, project, scope);
  const facts = await runProjectOperation(deps, connection, 'PROJECT_CREATE_FAILED', (projects, upstream) =>
    projects.create(upstream, { name, instructions, memoryPolicy: asked }),
  );
  const { upstreamRef } = facts;
  const row = { ...project, name, upstreamRef, instructions: instructions || null, bound: true, ...toReportedPolicy(asked, facts) };
  try {
    const stored = await insertProject(deps.store, row, scope);
    deps.log.info({ requestId: call.caller.requestId, projectId: stored.id, connectionId: connection.id }, 'project created');
    return toProject(stored);
  } catch (error) {
    await deps.cleanups.deleteWithRetries({
      ...{ connectionId: connection.id, resourceType: 'project', reference: upstreamRef, requestId: call.caller.requestId },
      remove: async () => {
        // A commit whose response was lost may have succeeded.
        if (!(await findStoredProject(deps.store.database, workspaceId, project.id)))
          await requireProjectOperations(connection).remove(connection.upstream, upstreamRef);
      },
    });
    throw error;
  }
}

/** The named connection, or the least loaded one whose provider has projects, preferably with support for the memory policy. */
async function requireTargetConnection(deps: Deps, id: string, policy: MemoryPolicy, workspaceId: string): Promise<Connection> {
  const connections = await deps.connections.listChat(workspaceId);
  const named = id ? await requireOwnConnection(deps, connections, workspaceId, id) : undefined;
  if (named) requireProjectOperations(named);
  if (connections.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  const eligible = listEligibleConnections(connections, { named, param: CONNECTION_PARAM, model: 'auto' }).filter(
    ({ provider }) => provider.projects,
  );
  const keeping = eligible.filter(({ provider }) => provider.projects?.memoryPolicies.includes(policy));
  return requireAvailableConnection(keeping.length > 0 ? keeping : eligible);
}
