import { call } from '../../harness/http.ts';
import { REFUSED_KEYS } from '../../harness/refused-keys.ts';
import { inATenant } from '../error-context.ts';
import { type Row } from '../row.ts';

/** Asks for what needs the scope `conversations` with a key that is refused. */
const bearing = (refusal: keyof typeof REFUSED_KEYS) =>
  inATenant(async ({ gateway, tenant }) => {
    const key = await REFUSED_KEYS[refusal]?.({ gateway, tenant });
    return call(gateway, 'GET', '/v1/conversations', { key });
  }, []);

/** Errors of authentication and scopes. */
export const AUTHENTICATION: readonly Row[] = [
  ['MISSING_API_KEY', 'a request without a key', bearing('401 MISSING_API_KEY')],
  ['INVALID_API_KEY', 'an unknown key', bearing('401 INVALID_API_KEY')],
  ['EXPIRED_API_KEY', 'a key whose time is over', bearing('401 EXPIRED_API_KEY')],
  ['REVOKED_API_KEY', 'a key that was revoked', bearing('401 REVOKED_API_KEY')],
  ['USER_NOT_ACTIVE', 'a key of a disabled user', bearing('401 USER_NOT_ACTIVE')],
  ['WORKSPACE_DISABLED', 'a key of a disabled workspace', bearing('403 workspace_disabled')],
  ['MISSING_SCOPE', 'a key for other things', bearing('403 MISSING_SCOPE'), { param: 'conversations' }],
  ['TENANT_ACCESS_DENIED', 'a key of no workspace', bearing('403 TENANT_ACCESS_DENIED')],
];
