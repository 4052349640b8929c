import { Command } from 'commander';
import { z } from 'zod';
import { type CliContext } from '../../cli-context.ts';
import { AdminTokenSource } from '../../gateway/admin-token.ts';
import { locateGateway } from '../../gateway/locate.ts';

const claims = z.object({
  kind: z.string(),
  sub: z.string(),
  roles: z.object({
    instance_role: z.string().nullable(),
    memberships: z.array(z.object({ workspace_id: z.string(), role: z.string() })),
  }),
});

/** `parley whoami`: as whom the next command acts. The token is read, not verified: it comes from the gateway itself. */
export function whoamiCommand(context: CliContext): Command {
  return new Command('whoami').description('Show as whom commands act, and with which roles').action(async () => {
    const { url, credential } = await locateGateway(context.environment);
    const token = await new AdminTokenSource(url, credential).get();
    const { kind, sub, roles } = claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
    const held = [
      ...(roles.instance_role === null ? [] : [`${roles.instance_role} of the gateway`]),
      ...roles.memberships.map(({ workspace_id, role }) => `${role} of workspace ${workspace_id}`),
    ];
    context.print(
      { url, kind, id: sub, roles },
      () => `${kind.replace('_', ' ')} ${sub} at ${url}\n${held.join('\n') || 'without a role'}`,
    );
  });
}
