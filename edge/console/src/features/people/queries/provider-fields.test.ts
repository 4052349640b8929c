import { describe, expect, it } from '@jest/globals';
import { type OidcProvider } from './people.ts';
import { providerFieldsSchema, toProviderFields, toProviderChange } from './provider-fields.ts';

const WORKSPACE = '01900000-0000-7000-8000-000000000001';
const provider: OidcProvider = {
  ...{ id: '1', slug: 'keycloak', name: 'Company', issuer: 'https://login.example.com', client_id: 'parley', has_client_secret: true },
  ...{ scopes: ['openid', 'groups'], group_claim: 'groups', allow_sign_up: true, allowed_domains: ['example.com', 'example.org'] },
  role_mappings: [
    { group: 'staff', workspace_id: WORKSPACE, workspace_role: 'member' },
    { group: 'admins', instance_role: 'auditor' },
  ],
  ...{ status: 'active', is_from_environment: false, created_at: '2026-11-20T09:30:00.000Z' },
};

describe('the form of a provider', () => {
  it('gives back what it was filled with, and keeps a secret that is not typed', () => {
    const { name, client_id, scopes, group_claim, role_mappings, allow_sign_up, allowed_domains } = provider;
    const rules = { name, client_id, scopes, group_claim, role_mappings, allow_sign_up, allowed_domains };
    expect(toProviderChange(providerFieldsSchema.parse(toProviderFields(provider)))).toEqual(rules);
    expect(toProviderChange({ ...toProviderFields(provider), clientSecret: 'new' })).toEqual({ ...rules, client_secret: 'new' });
  });

  it('takes lists as people write them', () => {
    const fields = { ...toProviderFields(undefined), scopes: ' openid  email ', domains: 'a.example,b.example ', groupClaim: '' };
    expect(toProviderChange(fields)).toMatchObject({
      scopes: ['openid', 'email'],
      allowed_domains: ['a.example', 'b.example'],
      group_claim: null,
    });
  });

  it('has roles where they belong', () => {
    const withRole = (place: string, role: string) =>
      providerFieldsSchema.safeParse({ ...toProviderFields(provider), mappings: [{ group: 'g', place, role }] }).success;
    expect([withRole('gateway', 'auditor'), withRole(WORKSPACE, 'viewer')]).toEqual([true, true]);
    expect([withRole('gateway', 'member'), withRole(WORKSPACE, 'auditor')]).toEqual([false, false]);
  });
});
