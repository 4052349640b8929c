/** Path of a provider. */
export function oidcProviderPath(id: string, rest = ''): string {
  return `/admin/v1/oidc-providers/${encodeURIComponent(id)}${rest}`;
}
