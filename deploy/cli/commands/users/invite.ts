import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { Command, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveWorkspace } from '../../gateway/resolve-resources.ts';
import { createdInvitationSchema } from '../../gateway/response-schemas.ts';

interface InviteOptions {
  workspace?: string;
  role?: string;
  instanceRole?: string;
}

/** `parley users invite`: a link for one person, which is shown once. */
export function inviteUser(context: CliContext): Command {
  return new Command('invite')
    .description('Invite a person by a link, which is good for seven days and one use')
    .argument('<email>', 'of the person, who signs in with it')
    .option('--workspace <workspace>', 'name or id of the workspace (default: the one that exists from the start)')
    .addOption(new Option('--role <role>', 'in the workspace').choices(['owner', 'admin', 'member', 'viewer']))
    .addOption(new Option('--instance-role <role>', 'for the whole gateway').choices(['owner', 'admin', 'auditor']))
    .action(async (email: string, { workspace, role, instanceRole }: InviteOptions) => {
      const gateway = await context.gateway();
      const body = { email, ...(await placeOf()), instance_role: instanceRole };
      const created = await gateway.call('POST', '/admin/v1/invitations', createdInvitationSchema, { body });
      context.print(
        created,
        () => `Give this link to ${created.email}; it is shown only now and ends ${created.expires_at}:\n${created.url}`,
      );

      async function placeOf(): Promise<{ workspace_id?: string; workspace_role?: string }> {
        // A role for the gateway alone needs no workspace.
        if (workspace === undefined && role === undefined && instanceRole !== undefined) return {};
        const id = workspace === undefined ? DEFAULT_WORKSPACE_ID : (await resolveWorkspace(gateway, workspace)).id;
        return { workspace_id: id, workspace_role: role ?? 'member' };
      }
    });
}
