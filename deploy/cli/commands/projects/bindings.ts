import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveProject } from '../../gateway/resolve-resources.ts';
import { projectSchema, type Project } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** What a command does to a project. */
interface Change {
  name: string;
  description: string;
  body: { bound?: boolean; is_default?: boolean };
  done: (project: Project) => string;
}

function changeProject(context: CliContext, { name, description, body, done }: Change): Command {
  return new Command(name)
    .description(description)
    .argument('<project>', 'its slug or id')
    .addOption(workspaceOption())
    .action(async (named: string, { workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const { id } = await resolveProject(gateway, named, workspace);
      const path = `/admin/v1/projects/${encodeURIComponent(id)}`;
      const changed = await gateway.call('PATCH', path, projectSchema, { query: { workspace_id: workspace }, body });
      context.print(changed, () => done(changed));
    });
}

/** `parley projects bind`. */
export function bindProject(context: CliContext): Command {
  const description = 'Let the workspace select a project (header X-Service-Upstream-Project)';
  return changeProject(context, { name: 'bind', description, body: { bound: true }, done: ({ slug }) => `Bound ${slug}.` });
}

/** `parley projects unbind`. */
export function unbindProject(context: CliContext): Command {
  const description = 'Let the workspace select a project no longer; selecting it is refused with 403';
  return changeProject(context, { name: 'unbind', description, body: { bound: false }, done: ({ slug }) => `Unbound ${slug}.` });
}

/** `parley projects set-default`: binds it too, for a default that may not be selected is none. */
export function setDefaultProject(context: CliContext): Command {
  return changeProject(context, {
    name: 'set-default',
    description: 'Bind a project and use it for turns that may not use the general space and select none',
    body: { bound: true, is_default: true },
    done: ({ slug }) => `${slug} is the default project now.`,
  });
}
