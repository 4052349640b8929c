import { type ProjectSource } from '@parley/protos/routing/v1/project';
import type pg from 'pg';
import { type PreparedFile } from '../providers/provider.ts';

/** A file of a project, and what its upstream calls it. */
export type StoredSource = ProjectSource & { upstreamRef: string };

const COLUMNS = `id, 'file' AS "sourceType", file_name AS title, status, mime_type AS "mimeType", size_bytes::float8 AS "sizeBytes",
  created_at AS "createdAt", asset_id AS "assetId", upstream_ref AS "upstreamRef"`;

/** The files of projects, as projects look at them. */
export class ProjectSourceStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Oldest first. */
  async list(projectId: string): Promise<StoredSource[]> {
    const text = `SELECT ${COLUMNS} FROM upstream_files WHERE project_id = $1 ORDER BY created_at, id`;
    return (await this.#pool.query<StoredSource>(text, [projectId])).rows;
  }

  async find(projectId: string, id: string): Promise<StoredSource | undefined> {
    const text = `SELECT ${COLUMNS} FROM upstream_files WHERE project_id = $1 AND id = $2`;
    return (await this.#pool.query<StoredSource>(text, [projectId, id])).rows[0];
  }

  /** What was prepared of those that are ready, oldest first. */
  async prepared(projectId: string): Promise<(PreparedFile & { title: string })[]> {
    const text = `SELECT file_name AS title, coalesce(prepared_text, '') AS text, omitted FROM upstream_files
                   WHERE project_id = $1 AND status = 'ready' ORDER BY created_at, id`;
    return (await this.#pool.query<PreparedFile & { title: string }>({ name: 'prepared_sources', text, values: [projectId] })).rows;
  }

  async delete(id: string): Promise<void> {
    await this.#pool.query('DELETE FROM upstream_files WHERE id = $1 AND project_id IS NOT NULL', [id]);
  }
}
