import { type RouteSpec } from './route-spec.ts';

/** The OpenAPI security schemes. */
export const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'A workspace API key, `gmk_live_…`.' },
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of `POST /admin/v1/token` or `POST /me/v1/admin-token`; it lives 10 minutes.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'parley_session',
    description:
      'The cookie of a sign-in; `__Host-parley_session` over HTTPS. Methods that change something also need `X-CSRF-Token` and an `Origin` of the gateway.',
  },
} as const;

/** The security scheme of each kind of access; undefined without authentication. */
export const SECURITY_SCHEME_BY_ACCESS: Readonly<Record<RouteSpec['access'], keyof typeof SECURITY_SCHEMES | undefined>> = {
  public: undefined,
  visitor: undefined,
  provider: undefined,
  key: 'apiKey',
  session: 'session',
  admin: 'adminToken',
};
