import { Command, Option } from 'commander';
import { type CliContext } from '../../context.ts';
import { user } from '../../gateway/answers.ts';
import { type Filters, withFilters } from '../../input/filters.ts';
import { table } from '../../output/table.ts';

/** `parley users list`. */
export function listUsers(context: CliContext): Command {
  const list = withFilters(new Command('list').description('List people, oldest first'), 'name or email');
  const role = new Option('--role <role>', 'only those with this role for the whole gateway').choices(['owner', 'admin', 'auditor']);
  return list.addOption(role).action(async ({ role: instance_role, ...filters }: Filters & { role?: string }) => {
    const gateway = await context.gateway();
    const users = await gateway.all('/admin/v1/users', user, { ...filters, instance_role });
    context.print(users, () =>
      table(
        ['id', 'name', 'email', 'status', 'role', 'second factor', 'last sign-in'],
        users.map((one) => [
          one.id,
          one.display_name,
          one.email ?? '-',
          one.status,
          one.instance_role ?? '-',
          one.requires_second_factor ? 'demanded' : '-',
          one.last_sign_in_at ?? 'never',
        ]),
      ),
    );
  });
}
