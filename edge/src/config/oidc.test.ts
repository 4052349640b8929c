import { describe, expect, it } from '@jest/globals';
import { isSafeIssuer } from './oidc-fields.ts';
import { readOidcProviders } from './oidc.ts';

const OKTA = { PARLEY_OIDC_OKTA_ISSUER: 'https://example.okta.com', PARLEY_OIDC_OKTA_CLIENT_ID: 'parley' };
const WORKSPACE = '01a2b3c4-1f08-7d4c-8e9f-6a5b1c3d7e18';

describe('providers of the environment', () => {
  it('are any number, by slug', () => {
    const read = readOidcProviders({
      ...OKTA,
      PARLEY_OIDC_MY_CLIENT_ISSUER: 'http://127.0.0.1:8085/realms/one',
      PARLEY_OIDC_MY_CLIENT_CLIENT_ID: 'p',
      PARLEY_OIDC_MY_CLIENT_CLIENT_SECRET: 'geheim',
      PARLEY_OIDC_MY_CLIENT_NAME: 'Our login',
      PARLEY_OIDC_MY_CLIENT_SCOPES: 'email groups',
      PARLEY_OIDC_MY_CLIENT_GROUP_CLAIM: 'groups',
      PARLEY_OIDC_MY_CLIENT_ROLE_MAPPINGS: `[{"group": "staff", "workspace_id": "${WORKSPACE}", "workspace_role": "member"}]`,
      PARLEY_OIDC_MY_CLIENT_ALLOW_SIGN_UP: 'true',
      PARLEY_OIDC_MY_CLIENT_ALLOWED_DOMAINS: 'Example.com, example.org',
      PARLEY_OTHER: 'x',
    });
    expect(read).toEqual([
      {
        slug: 'my-client',
        name: 'Our login',
        issuer: 'http://127.0.0.1:8085/realms/one',
        clientId: 'p',
        clientSecret: 'geheim',
        scopes: ['openid', 'email', 'groups'],
        groupClaim: 'groups',
        roleMappings: [{ group: 'staff', workspace_id: WORKSPACE, workspace_role: 'member' }],
        allowsSignUp: true,
        allowedDomains: ['example.com', 'example.org'],
      },
      {
        slug: 'okta',
        name: 'okta',
        issuer: 'https://example.okta.com',
        clientId: 'parley',
        clientSecret: null,
        scopes: ['openid', 'profile', 'email'],
        groupClaim: null,
        roleMappings: [],
        allowsSignUp: false,
        allowedDomains: [],
      },
    ]);
  });

  it.each([
    ['an unknown field', { PARLEY_OIDC_OKTA_SECRET: 'value' }, 'PARLEY_OIDC_OKTA_SECRET must be'],
    ['no client', { PARLEY_OIDC_X_ISSUER: 'https://x.example' }, 'PARLEY_OIDC_X_CLIENT_ID is not set'],
    ['plain http', { ...OKTA, PARLEY_OIDC_OKTA_ISSUER: 'http://value.example' }, 'PARLEY_OIDC_OKTA_ISSUER must be an https URL'],
    ['mappings that are no JSON', { ...OKTA, PARLEY_OIDC_OKTA_ROLE_MAPPINGS: 'value' }, 'PARLEY_OIDC_OKTA_ROLE_MAPPINGS must be JSON'],
    [
      'a role that does not exist',
      { ...OKTA, PARLEY_OIDC_OKTA_ROLE_MAPPINGS: '[{"group": "value", "instance_role": "root"}]' },
      'PARLEY_OIDC_OKTA_ROLE_MAPPINGS at 0.instance_role',
    ],
    [
      'an issuer twice',
      { ...OKTA, PARLEY_OIDC_Z_ISSUER: 'https://example.okta.com', PARLEY_OIDC_Z_CLIENT_ID: 'value' },
      'PARLEY_OIDC_Z_ISSUER is the issuer of another provider',
    ],
  ])('are refused with %s, in one line without the value', (_what, env, message) => {
    const read = () => readOidcProviders(env);
    expect(read).toThrow(`bad configuration: ${message}`);
    expect(read).not.toThrow(/value\b(?!s)/);
  });
});

describe('an issuer', () => {
  it.each(['https://a.example', 'https://a.example/realms/x', 'http://localhost:80', 'http://127.9.0.1', 'http://[::1]:3000/'])(
    'may be %s',
    (url) => expect(isSafeIssuer(url)).toBe(true),
  );
  it.each([
    'http://a.example',
    'https://a.example?',
    'https://u:p@a.example',
    'https://a.example#x',
    'ftp://localhost',
    'a',
    ' https://a.example',
  ])('is not %s', (url) => expect(isSafeIssuer(url)).toBe(false));
});
