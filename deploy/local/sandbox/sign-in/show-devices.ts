import { type IncomingMessage } from 'node:http';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { getNextAppCode } from './authenticator.ts';

/**
 * `GET /devices`: shows the mails and the authenticator app of an account to its owner, who signs in elsewhere. Browsers ask for the name
 * and the password (RFC 7617); 401 `bad_credentials` without them.
 */
export function showDevices({ sandbox, req, res }: HttpExchange): void {
  const { name, password } = basicCredentials(req);
  const account = sandbox.sandboxState.accounts.get(name)?.account;
  if (account === undefined || account.password !== password) {
    const challenge = { 'WWW-Authenticate': 'Basic realm="devices", charset="UTF-8"' };
    throw new SandboxError(401, 'bad_credentials', 'sign in with the name and the password of an account', challenge);
  }
  const mails = sandbox.challenges.mailboxes
    .listByAccount(account.id)
    .map(({ subject, code, sentAt }) => `${sentAt.toISOString()}  ${subject}: ${code}`);
  const app = getNextAppCode(sandbox, account);
  const lines = [
    `E-mail of ${account.id}, newest first:`,
    ...(mails.length === 0 ? ['  none'] : mails.map((mail) => `  ${mail}`)),
    '',
    `Authenticator app: ${app.code} (until ${app.expiresAt.toISOString()})`,
  ];
  res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }).end(`${lines.join('\n')}\n`);
}

function basicCredentials({ headers }: Pick<IncomingMessage, 'headers'>): { name: string; password: string } {
  const [, encoded = ''] = /^Basic ([\w+/]+=*)$/i.exec(headers.authorization ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return { name: text.slice(0, Math.max(0, colon)), password: text.slice(colon + 1) };
}
