import { type OidcProvider } from '../gateway/response-schemas.ts';

/** Returns the settings of a provider for `formatFacts`. */
export function toOidcProviderFacts(provider: OidcProvider): (readonly [string, string])[] {
  return [
    ['Issuer', provider.issuer],
    ['Client', `${provider.client_id} (${provider.has_client_secret ? 'with a secret' : 'public'})`],
    ['Scopes', provider.scopes.join(' ')],
    ['Groups', provider.group_claim ?? 'none'],
    ...provider.role_mappings.map(({ group, workspace_id, workspace_role, instance_role }): readonly [string, string] => {
      const roles = [workspace_role && `${workspace_role} in ${workspace_id}`, instance_role && `${instance_role} of the gateway`];
      return ['Mapping', `${group}: ${roles.filter((role) => role !== undefined).join(', ')}`];
    }),
    ['Sign-up', signUp(provider)],
    ['Status', provider.status],
  ];
}

function signUp({ allow_sign_up: isAllowed, allowed_domains: domains }: OidcProvider): string {
  if (!isAllowed) return 'no';
  return domains.length === 0 ? 'everybody' : domains.join(', ');
}
