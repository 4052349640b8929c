import { sendJson } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { getNextAppCode } from '../sign-in/authenticator.ts';
import { toBase32, deriveTotpSecret } from '../sign-in/totp.ts';
import { requireAccountState } from './accounts.ts';

/** `GET /control/accounts/:id/mailbox`: the codes that the account was sent, newest first. */
export function getMailbox(exchange: HttpExchange): void {
  const { account } = requireAccountState(exchange);
  const mails = exchange.sandbox.challenges.mailboxes.listByAccount(account.id);
  const messages = mails.map(({ to, subject, code, challenge, sentAt }) => ({
    to,
    subject,
    code,
    challenge,
    sent_at: sentAt.toISOString(),
  }));
  sendJson(exchange.res, 200, { messages });
}

/** `GET /control/accounts/:id/authenticator`: the next unused code, and the secret for an authenticator app. */
export function getAuthenticator(exchange: HttpExchange): void {
  const { account } = requireAccountState(exchange);
  const { code, expiresAt } = getNextAppCode(exchange.sandbox, account);
  const key = toBase32(deriveTotpSecret(account));
  const uri = `otpauth://totp/sandbox:${encodeURIComponent(account.id)}?secret=${key}&issuer=sandbox`;
  sendJson(exchange.res, 200, { code, expires_at: expiresAt.toISOString(), secret: key, uri });
}
