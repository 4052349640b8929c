import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { Command, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { usageError } from '../../cli-error.ts';
import { resolveWorkspace } from '../../gateway/resolve-resources.ts';
import { serviceAccountWithSecretSchema } from '../../gateway/response-schemas.ts';
import { parseDuration } from '../../input/duration.ts';
import { printNewSecret } from './print-new-secret.ts';

interface AddOptions {
  role?: string;
  workspace?: string;
  instanceRole?: string;
  expiresIn?: number;
}

const EXAMPLES = `
Examples:
  parley service-accounts add deploy --role admin
  parley service-accounts add usage-report --role viewer --workspace Lab --expires-in 90d
  parley service-accounts add auditor --instance-role auditor`;

/** `parley service-accounts add`: the only moment, besides a rotation, in which its secret is shown. */
export function addServiceAccount(context: CliContext): Command {
  return new Command('add')
    .description('Add an account for a program that runs the control plane; its secret is shown once')
    .argument('<name>', 'what the account is for')
    .addOption(new Option('--role <role>', 'in one workspace').choices(['owner', 'admin', 'member', 'viewer']))
    .option('--workspace <workspace>', 'name or id of the workspace (default: the one that exists from the start)')
    .addOption(
      new Option('--instance-role <role>', 'for the whole gateway, in place of a workspace').choices(['owner', 'admin', 'auditor']),
    )
    .option('--expires-in <duration>', 'e.g. 90d (default: never)', parseDuration)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { role, workspace, instanceRole, expiresIn }: AddOptions) => {
      if ((role === undefined) === (instanceRole === undefined)) throw usageError('give either --role or --instance-role');
      if (instanceRole !== undefined && workspace !== undefined) throw usageError('--workspace goes with --role');
      const gateway = await context.gateway();
      const workspaceId = workspace === undefined ? DEFAULT_WORKSPACE_ID : (await resolveWorkspace(gateway, workspace)).id;
      const place = role === undefined ? { instance_role: instanceRole } : { workspace_id: workspaceId, workspace_role: role };
      const expiresAt = expiresIn === undefined ? undefined : new Date(context.environment.now() + expiresIn).toISOString();
      const body = { name, ...place, expires_at: expiresAt };
      printNewSecret(context, await gateway.call('POST', '/admin/v1/service-accounts', serviceAccountWithSecretSchema, { body }));
    });
}
