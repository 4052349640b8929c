import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Answer } from '../../harness/http.ts';
import { Operator } from '../../harness/operator.ts';
import { type Gateway } from '../../harness/parley.ts';
import { Visitor } from '../../harness/visitor.ts';
import { type Row } from '../row.ts';

const PASSWORD = 'four quiet harbour lamps';
const session = z.looseObject({ user: z.object({ id: z.string() }) });
const link = z.looseObject({ url: z.string() });

const newEmail = () => `${randomUUID()}@example.com`;
const visit = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => (gateway: Gateway) =>
  new Visitor(gateway).call(method, path, body, headers);

/** Signs in with a wrong password until the next attempt has to wait. */
async function guess(gateway: Gateway): Promise<Answer> {
  const [visitor, email] = [new Visitor(gateway), newEmail()];
  // A network of its own: the other rows are not slowed down.
  const attempt = () => visitor.call('POST', '/sign-in', { email, password: PASSWORD }, { 'x-forwarded-for': '198.51.100.9' });
  let answer = await attempt();
  for (let left = 20; left > 0 && answer.status === 401; left--) answer = await attempt();
  return answer;
}

async function takeEmail(gateway: Gateway): Promise<Answer> {
  const [operator, email] = [new Operator(() => gateway), newEmail()];
  await operator.call('POST', '/users', { display_name: 'Ada', email });
  return operator.call('POST', '/users', { display_name: 'Grace', email });
}

/** Makes the first owner, and then disables it. */
async function disableOwner(gateway: Gateway): Promise<Answer> {
  const operator = new Operator(() => gateway);
  const token = new URL(link.parse((await operator.call('POST', '/setup-links')).json).url).hash.slice(1);
  const body = { token, email: newEmail(), display_name: 'Grace', password: PASSWORD };
  const { user } = session.parse((await new Visitor(gateway).call('POST', '/setup', body)).json);
  return operator.call('PATCH', `/users/${user.id}`, { status: 'disabled' });
}

/** Errors of sign-in, of login sessions and of links. */
export const PEOPLE_ERRORS: readonly Row[] = [
  ['SIGN_IN_REQUIRED', 'no login session', visit('GET', '/session')],
  ['SIGN_IN_FAILED', 'a wrong password', (gateway) => visit('POST', '/sign-in', { email: newEmail(), password: PASSWORD })(gateway)],
  ['SIGN_IN_DELAYED', 'many wrong passwords', guess, { waits: true }],
  ['CSRF_REJECTED', 'a page of another site', visit('POST', '/sign-in', {}, { origin: 'https://evil.example' }), { param: 'Origin' }],
  ['LINK_NOT_VALID', 'a link that never existed', visit('POST', '/invitations/inspect', { token: 'a'.repeat(43) })],
  ['EMAIL_TAKEN', 'an email of another user', takeEmail],
  ['LAST_OWNER', 'the only owner, who is disabled', disableOwner, { param: 'id' }],
];
