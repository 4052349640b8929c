import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { locateGatewayUrl } from '../../gateway/locate.ts';
import { deleteLogin, readLogin } from '../../gateway/login-file.ts';
import { signOut } from '../../gateway/sign-in.ts';

/** `parley logout`: ends the login at the gateway and deletes it here. */
export function logoutCommand(context: CliContext): Command {
  return new Command('logout').description('End the login of this machine').action(async () => {
    const { env } = context.environment;
    const url = await locateGatewayUrl(context.environment);
    const known = await readLogin(env, url);
    await deleteLogin(env, url);
    if (known) await signOut(url, known);
    context.print({ url, signed_out: known !== undefined }, () => (known ? `Signed out at ${url}.` : `There was no login at ${url}.`));
  });
}
