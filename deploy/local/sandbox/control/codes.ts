import { sendJson } from '../http/respond.ts';
import { type Exchange } from '../http/router.ts';
import { nextAppCode } from '../sign-in/authenticator.ts';
import { toBase32, totpSecret } from '../sign-in/totp.ts';
import { stateOf } from './accounts.ts';

/** `GET /control/accounts/:id/mailbox`: the codes that the account was sent, newest first. */
export function getMailbox(exchange: Exchange): void {
  const { account } = stateOf(exchange);
  const mails = exchange.sandbox.challenges.mailboxes.of(account.id);
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
export function getAuthenticator(exchange: Exchange): void {
  const { account } = stateOf(exchange);
  const { code, expiresAt } = nextAppCode(exchange.sandbox, account);
  const key = toBase32(totpSecret(account));
  const uri = `otpauth://totp/sandbox:${encodeURIComponent(account.id)}?secret=${key}&issuer=sandbox`;
  sendJson(exchange.res, 200, { code, expires_at: expiresAt.toISOString(), secret: key, uri });
}
