import { ConfigError } from '@parley/kit/config/read-config';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type RoleMapping } from '../config/oidc-fields.ts';
import { type OidcProviderSettings } from '../config/oidc.ts';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { type Database, runQuery } from './client.ts';
import { type OffsetPage } from './keys.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** A stored OpenID Connect provider; the client secret of a provider of the environment is not stored. */
export interface StoredOidcProvider {
  id: string;
  slug: string;
  name: string;
  issuer: string;
  clientId: string;
  /** Encrypted. */
  clientSecret: Uint8Array | null;
  scopes: string[];
  groupClaim: string | null;
  roleMappings: RoleMapping[];
  allowsSignUp: boolean;
  allowedDomains: string[];
  /** `active` or `disabled`. */
  status: string;
  isFromEnvironment: boolean;
  createdAt: Date;
}

/** A provider as the sign-in page shows it. */
export interface SignInProvider {
  slug: string;
  name: string;
  /** Email domains whose users get an account with their first sign-in; empty when sign-up is off or open to all domains. */
  signUpDomains: string[];
}

/** The fields that can be changed; the issuer cannot, because it identifies users. */
export interface OidcProviderChange {
  name?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: Uint8Array<ArrayBuffer> | null | undefined;
  scopes?: string[] | undefined;
  groupClaim?: string | null | undefined;
  roleMappings?: RoleMapping[] | undefined;
  allowsSignUp?: boolean | undefined;
  allowedDomains?: string[] | undefined;
  status?: string | undefined;
}

/** A provider to store. */
export type NewOidcProvider = Omit<StoredOidcProvider, 'clientSecret' | 'isFromEnvironment' | 'createdAt' | 'status'> & {
  clientSecret: Uint8Array<ArrayBuffer> | null;
};

/** Slugs of the providers that the environment of this edge configures. */
type InEnvironment = readonly string[];

/** Returns a page of providers, by slug. Those that an earlier environment configured stay stored, but are not listed. */
export async function listOidcProviders(
  db: Database,
  named: InEnvironment,
  page: { limit: number; offset: number },
): Promise<OffsetPage<StoredOidcProvider>> {
  const where = inUse(named);
  const [rows, total] = await runQuery(
    db.$transaction([
      db.oidcProvider.findMany({ where, orderBy: { slug: 'asc' }, take: page.limit, skip: page.offset }),
      db.oidcProvider.count({ where }),
    ]),
  );
  return { rows: rows.map(toStored), total };
}

/** Returns the active providers, by slug. */
export async function listActiveOidcProviders(db: Database, named: InEnvironment): Promise<SignInProvider[]> {
  const where = { ...inUse(named), status: 'active' };
  const select = { slug: true, name: true, allowsSignUp: true, allowedDomains: true } as const;
  const rows = await runQuery(db.oidcProvider.findMany({ where, orderBy: { slug: 'asc' }, select }));
  return rows.map(({ slug, name, allowsSignUp, allowedDomains }) => ({ slug, name, signUpDomains: allowsSignUp ? allowedDomains : [] }));
}

/** Returns the provider with this id or slug; null for an unknown one. */
export async function findOidcProvider(
  db: DatabaseOrTransaction,
  named: InEnvironment,
  which: { id: string } | { slug: string },
): Promise<StoredOidcProvider | null> {
  const row = await runQuery(db.oidcProvider.findFirst({ where: { ...which, ...inUse(named) } }));
  return row && toStored(row);
}

/** Stores a provider. @throws GatewayError VALIDATION_ERROR naming `slug` or `issuer` when another provider has it */
export async function insertOidcProvider(
  db: Database,
  provider: NewOidcProvider,
  named: InEnvironment,
  audit: AuditEntry,
): Promise<StoredOidcProvider> {
  return runQuery(
    db.$transaction(async (tx) => {
      await lock(tx);
      const { adopted, problem } = await makeRoom(tx, provider, named);
      if (problem) throw new GatewayError('VALIDATION_ERROR', `another provider has this ${problem}`, { param: problem });
      const data = { ...provider, isFromEnvironment: false, status: 'active' };
      const row = adopted
        ? await tx.oidcProvider.update({ where: { id: adopted }, data: { ...data, id: provider.id } })
        : await tx.oidcProvider.create({ data });
      await auditStatement(tx, audit);
      return toStored(row);
    }),
  );
}

/** Changes a provider that the environment does not configure. @throws GatewayError NOT_FOUND */
export async function updateOidcProvider(
  db: Database,
  id: string,
  change: OidcProviderChange,
  audit: AuditEntry,
): Promise<StoredOidcProvider> {
  return runQuery(
    db.$transaction(async (tx) => {
      const { count } = await tx.oidcProvider.updateMany({ where: { id, isFromEnvironment: false }, data: change });
      if (count === 0) throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'id' });
      await auditStatement(tx, audit);
      return toStored(await tx.oidcProvider.findUniqueOrThrow({ where: { id } }));
    }),
  );
}

/** Deletes a provider that the environment does not configure, and the identities of its users. @throws GatewayError NOT_FOUND */
export async function deleteOidcProvider(db: Database, id: string, audit: AuditEntry): Promise<void> {
  await runQuery(
    db.$transaction(async (tx) => {
      const { count } = await tx.oidcProvider.deleteMany({ where: { id, isFromEnvironment: false } });
      if (count === 0) throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'id' });
      await auditStatement(tx, audit);
    }),
  );
}

/**
 * Stores the providers of the environment; users keep their identities as long as the issuer is the same. Safe when many edges start at
 * once.
 * @throws ConfigError
 */
export async function saveEnvironmentProviders(db: Database, providers: readonly OidcProviderSettings[]): Promise<void> {
  if (providers.length === 0) return;
  const named = providers.map(({ slug }) => slug);
  await runQuery(
    db.$transaction(async (tx) => {
      await lock(tx);
      for (const { clientSecret: _kept, ...provider } of providers) {
        const variable = `PARLEY_OIDC_${provider.slug.toUpperCase().replaceAll('-', '_')}_ISSUER`;
        const { adopted, problem } = await makeRoom(tx, provider, named, true);
        if (problem) throw new ConfigError(`bad configuration: ${variable}: another provider has this ${problem}; delete it first`);
        const fields = { ...provider, scopes: [...provider.scopes], allowedDomains: [...provider.allowedDomains] };
        const data = { ...fields, roleMappings: [...provider.roleMappings], isFromEnvironment: true, status: 'active', clientSecret: null };
        if (adopted) await tx.oidcProvider.update({ where: { id: adopted }, data });
        else await tx.oidcProvider.create({ data: { ...data, id: uuidv7() } });
      }
    }),
  );
}

/**
 * Frees the slug and the issuer that a provider of an earlier environment has. A row with the same issuer is to be reused (`adopted`), so
 * that its users keep their identities; a row with another issuer loses its slug. Returns `problem` when a provider in use has one of them;
 * the environment may replace its own providers.
 */
async function makeRoom(
  tx: DatabaseOrTransaction,
  { slug, issuer }: { slug: string; issuer: string },
  named: InEnvironment,
  isEnvironment = false,
): Promise<{ adopted?: string; problem?: 'slug' | 'issuer' }> {
  const isFree = (row: { isFromEnvironment: boolean; slug: string }) =>
    row.isFromEnvironment && (isEnvironment || !named.includes(row.slug));
  const holder = await tx.oidcProvider.findUnique({ where: { slug } });
  const same = await tx.oidcProvider.findUnique({ where: { issuer } });
  if (holder && !isFree(holder)) return { problem: 'slug' };
  if (same && !isFree(same)) return { problem: 'issuer' };
  if (holder && holder.id !== same?.id) await tx.oidcProvider.update({ where: { id: holder.id }, data: { slug: `retired-${holder.id}` } });
  return same ? { adopted: same.id } : {};
}

async function lock(tx: DatabaseOrTransaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('edge.oidc_providers', 0))`;
}

function inUse(named: InEnvironment) {
  return { OR: [{ isFromEnvironment: false }, { slug: { in: [...named] } }] };
}

function toStored({ roleMappings, ...row }: Omit<StoredOidcProvider, 'roleMappings'> & { roleMappings: unknown }): StoredOidcProvider {
  return { ...row, roleMappings: roleMappings as RoleMapping[] };
}
