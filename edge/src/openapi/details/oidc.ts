import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const FIELDS = {
  slug: 'keycloak',
  name: 'Company login',
  issuer: 'https://login.example.com/realms/company',
  client_id: 'parley',
  scopes: ['openid', 'profile', 'email', 'groups'],
  group_claim: 'groups',
  role_mappings: [{ group: 'parley-members', workspace_id: SAMPLE.workspace, workspace_role: 'member' as const }],
  allow_sign_up: true,
  allowed_domains: ['example.com'],
};
const PROVIDER = {
  ...{ id: SAMPLE.key, ...FIELDS, has_client_secret: true, status: 'active' as const, is_from_environment: false, created_at: SAMPLE.time },
};

/** Descriptions and examples of the operations on OpenID Connect providers, and of sign-ins with them. */
export const OIDC_DETAILS: DetailsByOperationId = {
  listOidcProviders: { description: 'Providers by slug, with those of the environment (`is_from_environment`).', response: [PROVIDER] },
  createOidcProvider: {
    description:
      'Register `<origin>/me/v1/sign-in/oidc/<slug>/callback` at the provider as redirect URI. The secret is stored encrypted and never shown. Mappings need the permissions to give their roles by hand (`members.write`, `owners.write`, `instance_roles.write`).',
    request: { ...FIELDS, client_secret: 'from-the-provider' },
    response: PROVIDER,
  },
  updateOidcProvider: {
    description:
      'Changes what is given; `role_mappings` replace the current ones. Who changes more than the name, or ends it, needs the permissions for all roles of its mappings.',
    request: { status: 'disabled' },
    response: { ...PROVIDER, status: 'disabled' },
  },
  deleteOidcProvider: {
    description: 'People stay, with their sessions; what they sign in with at this provider is forgotten, also if it is added again.',
  },
  testOidcProvider: {
    description: 'Reads the discovery document and the keys now.',
    response: { ok: true, code: null, message: 'the discovery document and the keys can be read', keys: 2 },
  },
  beginOidcSignIn: {
    description:
      'For the address bar of a browser: goes to the provider (authorization code flow with PKCE), which sends the browser back to the callback within 10 minutes. `return_to` is a path of this gateway.',
  },
  finishOidcSignIn: {
    description:
      'Begins a session: the person is found by issuer and subject, never by email. Browsers (`Accept: text/html`) are sent to `/console/sign-in?error=…&request_id=…` when it fails.',
  },
  logOutByProvider: {
    description:
      'OpenID Connect Back-Channel Logout 1.0: the provider, not a browser, sends a `logout_token` that it has signed. Register this address there as `backchannel_logout_uri`. With `sid` the session at the provider ends what was begun with it, with `sub` alone all sessions of the person with this provider. A token counts once, within 10 minutes.',
    request: { logout_token: 'eyJ0eXAiOiJsb2dvdXQrand0IiwiYWxnIjoiUlMyNTYifQ.e30.c2lnbmF0dXJl' },
  },
  listIdentities: {
    description: 'What the signed-in person signs in with at providers.',
    response: [
      {
        ...{ id: SAMPLE.key, provider: { slug: 'keycloak', name: 'Company login' }, issuer: FIELDS.issuer, subject: '24400320' },
        ...{ email: 'ada@example.com', created_at: SAMPLE.time, last_sign_in_at: SAMPLE.later },
      },
    ],
  },
  linkIdentity: {
    description: 'Answers where the browser has to go; the callback links the identity if the same session comes back.',
    request: { return_to: '/console/profile' },
    response: { url: 'https://login.example.com/realms/company/protocol/openid-connect/auth?client_id=parley&state=…' },
  },
  deleteIdentity: { description: 'Refused for the only way in that is left.' },
};
