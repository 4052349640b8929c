import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { CliError } from '../../cli-error.ts';
import { locateGatewayUrl } from '../../gateway/locate.ts';
import { getLoginFilePath, saveLogin } from '../../gateway/login-file.ts';
import { type LoginSession, signIn, signInWithCode } from '../../gateway/sign-in.ts';
import { LineReader } from '../../input/line-reader.ts';

/** `parley login`: with an email and a password, and a code where the person has a second factor. */
export function loginCommand(context: CliContext): Command {
  return new Command('login')
    .description('Sign in as a person; later commands act with your roles')
    .option('--email <email>', 'asked for when it is absent')
    .addHelpText('after', '\nThe password, and the code where one is needed, are read from the terminal or the lines of standard input.')
    .action(async ({ email }: { email?: string }) => {
      const { env, stdin, stderr } = context.environment;
      const url = await locateGatewayUrl(context.environment);
      const lines = new LineReader(stdin, stderr);
      try {
        const name = email ?? (await lines.read('Email', { isShown: true }));
        const person = await enter(url, name, lines);
        await saveLogin(env, url, { email: name, cookie: person.cookie, csrf_token: person.csrfToken });
        context.print({ url, email: name }, () => `Signed in at ${url} as ${name}; kept in ${getLoginFilePath(env)}.`);
      } finally {
        lines.close();
      }
    });
}

async function enter(url: string, email: string, lines: LineReader): Promise<LoginSession> {
  const password = await lines.read('Password');
  if (email === '' || password === '') throw new CliError('an email and a password are needed', { code: 'NO_CREDENTIAL' });
  const answer = await signIn(url, email, password);
  if ('cookie' in answer) return answer;
  const code = await lines.read('Code of your authenticator app, or a recovery code');
  return signInWithCode(url, answer.token, code);
}
