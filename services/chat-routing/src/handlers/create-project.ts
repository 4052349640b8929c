import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type CreateProjectRequest, type Project } from '@parley/protos/routing/v1/project';
import { requireAvailableAccount } from '../accounts/account-plan.ts';
import { type Account } from '../accounts/account.ts';
import { listEligibleAccounts } from '../accounts/eligible-accounts.ts';
import { type MemoryPolicy, readMemoryPolicy, toReportedPolicy } from '../domain/memory-policy.ts';
import { toSlug } from '../domain/slug.ts';
import { askUpstream, requireProjectOperations } from '../projects/ask-upstream.ts';
import { toProject } from '../projects/project-record.ts';
import { type HandlerDeps } from './deps.ts';
import { ACCOUNT_PARAM, requireOwnAccount } from './own-account.ts';

/**
 * RPC CreateProject: a project on the account that is named, or on the best one, which its workspace may select at once.
 * Throws INVALID_MEMORY_POLICY, TENANT_ACCESS_DENIED, CONNECTION_NOT_FOUND, what keeps an account from serving, PROJECT_ALREADY_EXISTS, and
 * PROJECT_CREATE_FAILED; nothing is left upstream then.
 */
export async function createProject(deps: HandlerDeps, request: CreateProjectRequest, call: Call): Promise<Project> {
  const { workspaceId } = call.caller;
  const { name, instructions = '', upstreamAccountId } = request;
  const asked = readMemoryPolicy(request.memoryPolicy);
  const account = await requireTargetAccount(deps, upstreamAccountId, asked, workspaceId);
  // A caller that leaves the choice to the gateway must not get two projects of the same slug.
  const scope = upstreamAccountId ? 'account' : 'workspace';
  const project = { id: uuidv7(), workspaceId, connectionId: account.id, slug: toSlug(name) };
  await deps.projects.requireFree(project, scope);
  const facts = await askUpstream(deps, account, 'PROJECT_CREATE_FAILED', (projects, upstream) =>
    projects.create(upstream, { name, instructions, memoryPolicy: asked }),
  );
  const { upstreamRef } = facts;
  const row = { ...project, name, upstreamRef, instructions: instructions || null, bound: true, ...toReportedPolicy(asked, facts) };
  try {
    const stored = await deps.projects.create(row, scope);
    deps.log.info({ projectId: stored.id, connectionId: account.id }, 'project created');
    return toProject(stored);
  } catch (error) {
    await deps.cleanups.remove({
      ...{ connectionId: account.id, what: 'project', reference: upstreamRef },
      remove: async () => {
        // A commit that was cut off may have taken effect.
        if (!(await deps.projects.find(workspaceId, project.id)))
          await requireProjectOperations(account).remove(account.upstream, upstreamRef);
      },
    });
    throw error;
  }
}

/** The connection that is named, or the least loaded one with projects; those that support the policy come first. */
async function requireTargetAccount(deps: HandlerDeps, id: string, policy: MemoryPolicy, workspaceId: string): Promise<Account> {
  const accounts = await deps.accounts.of(workspaceId);
  const named = id ? await requireOwnAccount(deps, accounts, workspaceId, id) : undefined;
  if (named) requireProjectOperations(named);
  if (accounts.length === 0) throw new GatewayError('ACCOUNT_NOT_CONNECTED', 'the workspace has no connected chat account');
  const eligible = listEligibleAccounts(accounts, { named, param: ACCOUNT_PARAM, model: 'auto' }).filter(
    ({ provider }) => provider.projects,
  );
  const keeping = eligible.filter(({ provider }) => provider.projects?.memoryPolicies.includes(policy));
  return requireAvailableAccount(keeping.length > 0 ? keeping : eligible);
}
