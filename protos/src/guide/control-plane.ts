import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

/** Conditions of sign-in, login sessions and the control plane. */
export const CONTROL_PLANE_GUIDE = {
  SIGN_IN_REQUIRED: {
    meaning: 'The request has no valid login session.',
    cause: 'There is no session cookie, or the session was signed out, revoked, idle for too long, or has reached its end.',
    remedy: 'Sign in with `POST /me/v1/sign-in` and send the cookie.',
  },
  SIGN_IN_FAILED: {
    meaning: 'The sign-in was not accepted.',
    cause:
      'The email, the password or the code is wrong, or the credentials of a token request; the answer does not say which. Disabled people get the same answer.',
    remedy: 'Try again. An admin can make a link with which the password is set anew.',
  },
  SIGN_IN_DELAYED: {
    meaning: 'Too many failed sign-ins of this account or from this address.',
    cause: 'The delay between attempts grows with every failure.',
    remedy: 'Wait for the time in `Retry-After`.',
  },
  SECOND_FACTOR_REQUIRED: {
    meaning: 'This account needs a second factor, and the session was begun without one.',
    cause: 'An admin demands a second factor of this person.',
    remedy: 'Set up an authenticator app or a passkey under `/me/v1/second-factors`; nothing else is open until then.',
  },
  CSRF_REJECTED: {
    meaning: 'The request does not prove that it comes from a page of this gateway.',
    cause: '`X-CSRF-Token` is missing or belongs to another session, or `Origin` (or `Sec-Fetch-Site`) names another site.',
    remedy:
      'Send the token of `GET /me/v1/session` and the origin of the gateway. Behind a proxy or under a host name, set `PARLEY_PUBLIC_URL` to the origin that browsers use.',
  },
  PERMISSION_DENIED: {
    meaning: 'The role of the caller does not permit this.',
    cause: 'The operation needs the permission in `error.param`, in this workspace or for the whole gateway.',
    remedy: 'Ask an owner for a role that has it; `GET /me/v1/permissions` lists what each role may do.',
  },
  INVALID_ADMIN_TOKEN: {
    meaning: 'The token of the control plane is not valid.',
    cause:
      'It is malformed, expired, signed by another key or for another gateway, or the person, session or service account behind it was revoked.',
    remedy:
      'Get a new one: `POST /me/v1/admin-token` with a session, or `POST /admin/v1/token` with a service account or the operator key.',
  },
  LINK_NOT_VALID: {
    meaning: 'The link, or the code in it, cannot be used.',
    cause: 'It was used, has expired, was revoked, or never existed.',
    remedy: 'Ask for a new one: an invitation from who invited you, a setup link with `npx parley users setup-link`.',
  },
  EMAIL_TAKEN: {
    meaning: 'Another person has this email.',
    cause: 'Each person has an email of their own.',
    remedy: 'Use another email, or change the existing person.',
  },
  LAST_OWNER: {
    meaning: 'The last owner cannot be removed, disabled or given another role.',
    cause: 'No user could give the role to another person after it.',
    remedy: 'Make another person owner first.',
  },
  OIDC_REFUSED: {
    meaning: 'The sign-in with an OpenID Connect provider was not accepted.',
    cause:
      'The provider refused it, its answer is not valid (issuer, audience, nonce, signature, state), it was begun in another browser or too long ago, or the person has no account here.',
    remedy: 'Begin the sign-in again. A person without an account needs an invitation, or a provider that allows sign-up.',
  },
  OIDC_UNAVAILABLE: {
    meaning: 'The OpenID Connect provider does not answer.',
    cause: 'Its discovery document, keys or token endpoint could not be reached in time.',
    remedy: 'Try again; sign in with a password or passkey where you have one.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
