import { GatewayError } from '@parley/protos/errors';
import type pg from 'pg';
import { Prisma } from '../generated/prisma/client.ts';
import { asked, type PrismaClient } from './prisma.ts';

/** A stored connection. */
export interface ConnectionRow {
  id: string;
  workspaceId: string;
  label: string;
  provider: string;
  baseUrl: string;
  account: string;
  secret: Uint8Array | null;
  models: string[];
  /** By the operator; what the upstream lists does not matter then. */
  modelsNamed: boolean;
  enabled: boolean;
  isDefault: boolean;
  /** Turns at once in a process; null: as configured. */
  maxConcurrency: number | null;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Shared health of a connection; waits are what the database's clock says is left, in milliseconds. */
export interface HealthRow {
  proven: boolean;
  expired: boolean;
  openings: number;
  rateLimitedMs: number;
  openMs: number;
  /** Features that the upstream refused lately. */
  refused: string[];
}

/** What changed of the health of a connection; what is undefined stays. A verdict on the breaker names both of its fields. */
export type HealthChange = Partial<HealthRow>;

/** What an operator may change of a connection; what is undefined stays. */
export type ConnectionChange = Partial<
  Pick<ConnectionRow, 'label' | 'enabled' | 'baseUrl' | 'account' | 'models' | 'isDefault' | 'maxConcurrency'>
> & {
  secret?: Uint8Array | null;
};

const LOAD = `
  SELECT c.id, c.workspace_id AS "workspaceId", c.label, c.provider, c.base_url AS "baseUrl", c.account, c.secret, c.models,
         c.models_named AS "modelsNamed", c.enabled,
         c.is_default AS "isDefault", c.max_concurrency AS "maxConcurrency", c.created_at AS "createdAt", c.last_used_at AS "lastUsedAt",
         coalesce(h.proven, false) AS proven, coalesce(h.expired, false) AS expired, coalesce(h.openings, 0) AS openings,
         coalesce(h.refused, '{}') AS refused,
         coalesce(extract(epoch FROM h.rate_limited_until - now()) * 1000, 0)::float8 AS "rateLimitedMs",
         coalesce(extract(epoch FROM h.open_until - now()) * 1000, 0)::float8 AS "openMs"
    FROM connections c LEFT JOIN connection_health h ON h.connection_id = c.id
   WHERE c.workspace_id = ANY($1::uuid[]) ORDER BY c.created_at, c.id`;

const SAVE_HEALTH = `
  INSERT INTO connection_health AS h (connection_id, proven, expired, openings, rate_limited_until, open_until, refused, updated_at)
  SELECT $1, coalesce($2, false), coalesce($3, false), coalesce($4, 0), now() + $5::float8 * interval '1 millisecond',
         now() + $6::float8 * interval '1 millisecond', coalesce($7::text[], '{}'), now()
   WHERE EXISTS (SELECT FROM connections WHERE id = $1)
  ON CONFLICT (connection_id) DO UPDATE SET
    proven = coalesce($2, h.proven), expired = coalesce($3, h.expired), openings = coalesce($4, h.openings),
    rate_limited_until = coalesce(excluded.rate_limited_until, h.rate_limited_until),
    open_until = coalesce(excluded.open_until, h.open_until), refused = coalesce($7, h.refused), updated_at = now()`;

const CLAIM_PROBE = `
  UPDATE connection_health SET probe_until = now() + $2 * interval '1 millisecond'
   WHERE connection_id = $1 AND (probe_until IS NULL OR probe_until < now())`;

const CLAIM_ASKING = `
  UPDATE connections SET models_asked_at = now() WHERE id IN (
    SELECT id FROM connections WHERE enabled AND NOT models_named AND models_asked_at < now() - $1 * interval '1 millisecond'
     ORDER BY models_asked_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING id, workspace_id AS "workspaceId"`;

/** Connected accounts and their shared health. */
export class ConnectionStore {
  readonly #prisma: PrismaClient;
  readonly #pool: pg.Pool;

  constructor(prisma: PrismaClient, pool: pg.Pool) {
    this.#prisma = prisma;
    this.#pool = pool;
  }

  /** The connections of some workspaces, oldest first. */
  async load(workspaceIds: readonly string[]): Promise<(ConnectionRow & HealthRow)[]> {
    const { rows } = await this.#pool.query<ConnectionRow & HealthRow>({ name: 'load_connections', text: LOAD, values: [workspaceIds] });
    return rows;
  }

  /**
   * A default one takes the place of the default one `among` these providers. Throws VALIDATION_ERROR when the workspace has a connection with
   * this label.
   */
  async create(row: Omit<ConnectionRow, 'lastUsedAt' | 'createdAt' | 'enabled'>, among: readonly string[]): Promise<void> {
    const data = { ...row, secret: row.secret && new Uint8Array(row.secret) };
    await this.#guard(row.label, async () => {
      await this.#prisma.$transaction(async (tx) => {
        if (row.isDefault) await tx.connection.updateMany(noDefault(row.workspaceId, among));
        await tx.connection.create({ data });
      });
    });
  }

  /** As with `create`. False when the workspace has no such connection. */
  async update(workspaceId: string, id: string, change: ConnectionChange, among: readonly string[]): Promise<boolean> {
    const { secret, ...rest } = change;
    const data = { ...rest, ...(secret !== undefined && { secret: secret && new Uint8Array(secret) }), updatedAt: new Date() };
    return this.#guard(change.label ?? '', () =>
      this.#prisma.$transaction(async (tx) => {
        if (change.isDefault) await tx.connection.updateMany(noDefault(workspaceId, among));
        const { count } = await tx.connection.updateMany({ where: { id, workspaceId }, data });
        return count > 0;
      }),
    );
  }

  /** Whether another workspace has a connection with this id. */
  async existsElsewhere(workspaceId: string, id: string): Promise<boolean> {
    return (await this.#guard('', () => this.#prisma.connection.count({ where: { id, workspaceId: { not: workspaceId } } }))) > 0;
  }

  /** False when the workspace has no such connection. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    const { count } = await this.#guard('', () => this.#prisma.connection.deleteMany({ where: { id, workspaceId } }));
    return count > 0;
  }

  /** Every stored secret, for rotation. */
  async listSecrets(): Promise<{ id: string; secret: Uint8Array }[]> {
    const rows = await this.#guard('', () =>
      this.#prisma.connection.findMany({ where: { secret: { not: null } }, select: { id: true, secret: true } }),
    );
    return rows.flatMap(({ id, secret }) => (secret ? [{ id, secret }] : []));
  }

  /** Replaces a secret unless it was changed meanwhile. */
  async replaceSecret(id: string, before: Uint8Array, after: Uint8Array): Promise<boolean> {
    const { count } = await this.#guard('', () =>
      this.#prisma.connection.updateMany({ where: { id, secret: new Uint8Array(before) }, data: { secret: new Uint8Array(after) } }),
    );
    return count > 0;
  }

  /** Stores what changed, with waits counted on the database's clock. */
  async saveHealth(id: string, { proven, expired, openings, rateLimitedMs, openMs, refused }: HealthChange): Promise<void> {
    const values = [id, proven, expired, openings, rateLimitedMs, openMs, refused];
    await this.#pool.query({ name: 'save_health', text: SAVE_HEALTH, values });
  }

  /** Takes the right to send the one probing turn of a half-open breaker; false when another replica has it. */
  async claimProbe(id: string, forMs: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query({ name: 'claim_probe', text: CLAIM_PROBE, values: [id, forMs] });
    return rowCount === 1;
  }

  async releaseProbe(id: string): Promise<void> {
    await this.#pool.query({
      name: 'release_probe',
      text: 'UPDATE connection_health SET probe_until = NULL WHERE connection_id = $1',
      values: [id],
    });
  }

  /** Takes up to `limit` connections that nobody has asked for their models for so long; whoever has them asks. */
  async claimAsking(everyMs: number, limit: number): Promise<{ id: string; workspaceId: string }[]> {
    const { rows } = await this.#pool.query<{ id: string; workspaceId: string }>(CLAIM_ASKING, [everyMs, limit]);
    return rows;
  }

  /** Stores what the upstream offers now, unless the operator named models meanwhile. */
  async setModels(id: string, models: readonly string[]): Promise<void> {
    await this.#pool.query('UPDATE connections SET models = $2 WHERE id = $1 AND NOT models_named', [id, models]);
  }

  async touch(ids: readonly string[]): Promise<void> {
    await this.#pool.query('UPDATE connections SET last_used_at = now() WHERE id = ANY($1::uuid[])', [ids]);
  }

  async #guard<T>(label: string, work: () => Promise<T>): Promise<T> {
    try {
      return await asked(work);
    } catch (error) {
      if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
        throw new GatewayError('VALIDATION_ERROR', `a connection with the label ${JSON.stringify(label)} exists already`, {
          param: 'label',
          cause: error,
        });
      }
      throw error;
    }
  }
}

/** Each purpose has a default of its own. */
function noDefault(workspaceId: string, among: readonly string[]) {
  return { where: { workspaceId, provider: { in: [...among] } }, data: { isDefault: false } };
}
