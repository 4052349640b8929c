import { randomUUID } from 'node:crypto';
import { call } from '../../harness/http.ts';
import { Operator } from '../../harness/operator.ts';
import { type Provoke, type Row } from '../row.ts';

/** Adds a provider at an address where nothing answers, and asks below its sign-in. */
const atUnreachable =
  (rest: string): Provoke =>
  async (gateway) => {
    const slug = `unreachable-${randomUUID().slice(0, 8)}`;
    // An issuer belongs to one provider.
    const issuer = `http://127.0.0.1:1/${slug}`;
    const operator = new Operator(() => gateway);
    const added = await operator.call('POST', '/oidc-providers', { slug, name: 'Unreachable', issuer, client_id: 'parley' });
    const answer = await call(gateway, 'GET', `/me/v1/sign-in/oidc/${slug}${rest}`);
    await operator.call('DELETE', `/oidc-providers/${(added.json as { id: string }).id}`);
    return answer;
  };

/** Errors of sign-ins with OpenID Connect providers. */
export const OIDC_ERRORS: readonly Row[] = [
  ['OIDC_REFUSED', 'a callback without a sign-in', atUnreachable('/callback?code=c&state=s')],
  ['OIDC_UNAVAILABLE', 'a provider that does not answer', atUnreachable(''), { waits: true }],
];
