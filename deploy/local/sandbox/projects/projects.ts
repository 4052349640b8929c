import { z } from 'zod';
import { newId } from '../chat/conversations.ts';
import { requireOwnProject } from '../chat/with-session.ts';
import { type AppliedFault, runWithFaults } from '../faults/operation-faults.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type Project } from '../state/projects.ts';
import { MEMORY_POLICIES, type MemoryPolicy } from '../state/state-changes.ts';

const MOST_PROJECTS = 1_000;

const name = z.string().trim().min(1).max(200);
const instructions = z.string().max(100_000);
const createSchema = z.object({
  name,
  instructions: instructions.default(''),
  memory_policy: z.enum(MEMORY_POLICIES).default('provider_default'),
});
const updateSchema = z.object({ name: name.optional(), instructions: instructions.optional() });

function projectView({ id, name, instructions, memoryPolicy, at }: Project): Record<string, unknown> {
  return { id, name, instructions, memory_policy: memoryPolicy, created_at: new Date(at).toISOString() };
}

/** `POST /api/projects`: the `memory_policy` of the response is the effective one. */
export async function createProject(exchange: HttpExchange, state: AccountState): Promise<void> {
  const { sandbox, req, res } = exchange;
  const { projects } = sandbox.sandboxState;
  const account = state.account.id;
  const { name, instructions, memory_policy: requested } = await readJson(req, createSchema);
  if (projects.listByAccount(account).length >= MOST_PROJECTS)
    throw new SandboxError(409, 'too_many_projects', 'this account has too many projects');
  const id = newId('sp');
  const act = ({ fault }: AppliedFault): void => {
    const policy: MemoryPolicy = fault === 'memory_policy_ignored' ? 'provider_default' : requested;
    sandbox.sandboxState.record({ type: 'project', id, account, name, instructions, memory_policy: policy, at: Date.now() });
  };
  await runWithFaults(exchange, state, 'project_create', act, () =>
    sendJson(res, 201, projectView(requireOwnProject(sandbox, account, id))),
  );
}

/** `GET /api/projects`, oldest first. */
export function listProjects({ sandbox, res }: HttpExchange, { account }: AccountState): void {
  sendJson(res, 200, { projects: sandbox.sandboxState.projects.listByAccount(account.id).map(projectView) });
}

/** `GET /api/projects/:id`. */
export function getProject({ sandbox, res, params }: HttpExchange, { account }: AccountState): void {
  sendJson(res, 200, projectView(requireOwnProject(sandbox, account.id, params.id ?? '')));
}

/** `PATCH /api/projects/:id`: changes name and instructions; the memory policy cannot be changed. */
export async function updateProject(exchange: HttpExchange, state: AccountState): Promise<void> {
  const { sandbox, req, res } = exchange;
  const change = await readJson(req, updateSchema);
  const project = requireOwnProject(sandbox, state.account.id, exchange.params.id ?? '');
  const act = (): void => {
    const { name = project.name, instructions = project.instructions } = change;
    sandbox.sandboxState.record({ type: 'project_changed', project: project.id, name, instructions });
  };
  await runWithFaults(exchange, state, 'project_update', act, () => sendJson(res, 200, projectView(project)));
}

/** `DELETE /api/projects/:id`: also deletes its files; its conversations cannot be opened any more. */
export async function deleteProject(exchange: HttpExchange, state: AccountState): Promise<void> {
  const { sandbox, res } = exchange;
  const { id } = requireOwnProject(sandbox, state.account.id, exchange.params.id ?? '');
  const act = async (): Promise<void> => {
    const files = sandbox.sandboxState.files.listByProject(state.account.id, id);
    sandbox.sandboxState.record({ type: 'project_removed', project: id });
    for (const file of files) sandbox.contents.forget(file.id);
    await Promise.all(files.map((file) => sandbox.store.remove(file.id)));
  };
  await runWithFaults(exchange, state, 'project_delete', act, () => sendNoContent(res));
}
