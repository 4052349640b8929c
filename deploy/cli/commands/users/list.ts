import { Command, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { userSchema } from '../../gateway/response-schemas.ts';
import { type FilterOptions, addFilterOptions } from '../../input/filter-options.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley users list`. */
export function listUsers(context: CliContext): Command {
  const list = addFilterOptions(new Command('list').description('List people, oldest first'), 'name or email');
  const role = new Option('--role <role>', 'only those with this role for the whole gateway').choices(['owner', 'admin', 'auditor']);
  return list.addOption(role).action(async ({ role: instance_role, ...filters }: FilterOptions & { role?: string }) => {
    const gateway = await context.gateway();
    const users = await gateway.listAll('/admin/v1/users', userSchema, { ...filters, instance_role });
    context.print(users, () =>
      formatTable(
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
