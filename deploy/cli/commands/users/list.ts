import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { user } from '../../gateway/answers.ts';
import { table } from '../../output/table.ts';

/** `parley users list`. */
export function listUsers(context: CliContext): Command {
  return new Command('list').description('List people, oldest first').action(async () => {
    const gateway = await context.gateway();
    const users = await gateway.all('/admin/v1/users', user);
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
