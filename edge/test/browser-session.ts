import { call, type Answer } from './harness.ts';
import { type SignedIn } from './people.ts';
import { cookieOf, type SessionBody } from './visitors.ts';

/** The browser after an answer that has begun a session, or has given it a new token. */
export function browserAfter(
  url: string,
  answer: Pick<Answer, 'headers'>,
  session: Pick<SessionBody, 'id' | 'user' | 'csrf_token'>,
): SignedIn {
  const [cookie, csrf] = [cookieOf(answer), session.csrf_token];
  return {
    ...{ userId: session.user.id, sessionId: session.id, cookie, csrf },
    call: (method, path, body, more) =>
      call(`${url}${path}`, { method, body, headers: { cookie, origin: url, 'x-csrf-token': csrf, ...more } }),
  };
}
