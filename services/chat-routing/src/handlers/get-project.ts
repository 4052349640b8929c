import { type Call } from '@parley/kit/rpc/call';
import { type Project, type ProjectRequest } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { listSources } from '../files/list-sources.ts';
import { countProjectConversations, requireStoredProject, toProject, toSource } from '../projects/project-record.ts';

/** RPC GetProject: returns a project with its files and the number of its conversations. Throws PROJECT_NOT_FOUND. */
export async function getProject(deps: Deps, { projectId }: ProjectRequest, call: Call): Promise<Project> {
  const project = await requireStoredProject(deps, projectId, call);
  const [counts, files] = await Promise.all([countProjectConversations(deps, [project.id], call), listSources(deps, project)]);
  return { ...toProject(project, counts.get(project.id)), sources: files.map(toSource) };
}
