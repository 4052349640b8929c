import { GatewayError } from '@parley/protos/errors';
import type pg from 'pg';
import { type SourceStatus } from '../providers/project-operations.ts';
import { type PreparedFile } from '../providers/upstream-turn.ts';

/** A file that was given to the account of a conversation or of a project. */
export interface FileRow {
  /** `file_…` of a conversation; of a project a UUIDv7, the id of its source. */
  id: string;
  workspaceId: string;
  connectionId: string;
  /** Null for a file of a project. */
  conversationId: string | null;
  /** Null for a file of a conversation. */
  projectId: string | null;
  assetId: string;
  fileName: string;
  mimeType: string;
  sizeBytes: number;
  status: SourceStatus;
  upstreamRef: string;
  createdAt: Date;
}

/** A file to be kept; what was prepared of it is kept beside it. */
export type NewFile = Omit<FileRow, 'createdAt'> & { prepared?: PreparedFile | undefined };

/** A project that an upstream still works on files of. */
export interface PendingProject {
  projectId: string;
  projectRef: string;
  workspaceId: string;
  connectionId: string;
}

/** First wait before an upstream is asked about a file, and the longest; it doubles in between. */
const FIRST_CHECK_MS = 250;
const LONGEST_CHECK_MS = 60_000;
/** What PostgreSQL calls a reference to a row that is not there. */
const FOREIGN_KEY = '23503';
/** Files that are asked about at once. */
const CLAIM = 200;

const COLUMNS = `f.id, f.workspace_id AS "workspaceId", f.connection_id AS "connectionId", f.conversation_id AS "conversationId",
  f.project_id AS "projectId", f.asset_id AS "assetId", f.file_name AS "fileName", f.mime_type AS "mimeType",
  f.size_bytes::float8 AS "sizeBytes", f.status, f.upstream_ref AS "upstreamRef", f.created_at AS "createdAt"`;

const CREATE = `
  INSERT INTO upstream_files AS f (id, workspace_id, connection_id, conversation_id, project_id, asset_id, file_name, mime_type, size_bytes,
                                   status, upstream_ref, prepared_text, prepared_image, omitted, next_check_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now() + ${FIRST_CHECK_MS} * interval '1 millisecond')
  RETURNING ${COLUMNS}`;

// Each replica takes others: what is claimed is not due again before its next check.
const CLAIM_PENDING = `
  WITH due AS (SELECT id FROM upstream_files WHERE status = 'processing' AND next_check_at <= now()
                ORDER BY next_check_at LIMIT ${CLAIM} FOR UPDATE SKIP LOCKED),
  claimed AS (UPDATE upstream_files f SET checks = checks + 1,
                next_check_at = now() + least(${LONGEST_CHECK_MS}, ${FIRST_CHECK_MS} * power(2, least(checks, 20))) * interval '1 millisecond'
                FROM due WHERE f.id = due.id RETURNING f.project_id)
  SELECT p.id AS "projectId", p.upstream_ref AS "projectRef", p.workspace_id AS "workspaceId", p.connection_id AS "connectionId"
    FROM upstream_projects p WHERE p.id IN (SELECT project_id FROM claimed)`;

const GIVE_UP = `UPDATE upstream_files SET status = 'failed'
   WHERE project_id = $1 AND status = 'processing' AND created_at < now() - $2::float8 * interval '1 millisecond'`;

/** Only what is still being worked on moves: an answer that comes late changes nothing that is settled. */
const SET_STATUSES = `UPDATE upstream_files f SET status = reported.status
    FROM unnest($2::text[], $3::text[]) AS reported (ref, status)
   WHERE f.project_id = $1 AND f.upstream_ref = reported.ref AND f.status = 'processing' AND reported.status <> 'processing'`;

/** Files that were given to upstreams, and what was prepared of them for those that take none. */
export class FileStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Stores a file. Throws SERVICE_UNAVAILABLE when the limit is reached, and ACCOUNT_NOT_ACTIVE when its connection is gone. */
  async create(file: NewFile): Promise<FileRow> {
    const { id, workspaceId, connectionId, conversationId, projectId, assetId, fileName, mimeType, sizeBytes, status, upstreamRef } = file;
    const place = [id, workspaceId, connectionId, conversationId, projectId, assetId];
    const prepared = [readText(file.prepared), file.prepared?.original ?? null, storable(file.prepared?.omitted ?? '')];
    const values = [...place, storable(fileName), mimeType, sizeBytes, status, upstreamRef, ...prepared];
    try {
      const [row] = await this.#rows<FileRow>(CREATE, values);
      return row as FileRow;
    } catch (error) {
      if ((error as { code?: unknown }).code !== FOREIGN_KEY) throw error;
      throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of the file was removed meanwhile', { cause: error });
    }
  }

  /** Those of these ids that there are, in any workspace. */
  findAll(ids: readonly string[]): Promise<FileRow[]> {
    return this.#rows(`SELECT ${COLUMNS} FROM upstream_files f WHERE f.id = ANY($1::text[])`, [ids]);
  }

  /** Whether anything was uploaded to a conversation. */
  async hasFiles(conversationId: string): Promise<boolean> {
    const sql = 'SELECT EXISTS (SELECT FROM upstream_files WHERE conversation_id = $1) AS has';
    const [row] = await this.#rows<{ has: boolean }>(sql, [conversationId]);
    return row?.has ?? false;
  }

  /** A file of the workspace. */
  async find(workspaceId: string, id: string): Promise<FileRow | undefined> {
    const [row] = await this.#rows<FileRow>(`SELECT ${COLUMNS} FROM upstream_files f WHERE f.id = $1 AND f.workspace_id = $2`, [
      id,
      workspaceId,
    ]);
    return row;
  }

  /**
   * What was prepared of a file, with `maxText` characters at most; undefined when the file is gone, or was never prepared. A file that has a text
   * comes with its bytes only where none of it is asked for: they may be a hundred times the text.
   */
  async readPrepared(id: string, maxText: number): Promise<PreparedFile | undefined> {
    const original = 'CASE WHEN prepared_text IS NULL OR $2 = 0 THEN prepared_image END';
    const sql = `SELECT left(prepared_text, $2) AS text, ${original} AS original, omitted FROM upstream_files WHERE id = $1`;
    const [row] = await this.#rows<{ text: string | null; original: Buffer | null; omitted: string }>(sql, [id, maxText]);
    if (!row || (row.text === null && row.original === null)) return undefined;
    return { text: row.text ?? '', omitted: row.omitted, ...(row.original && { original: row.original }) };
  }

  /** False when there is none. */
  async deleteFile(id: string): Promise<boolean> {
    return (await this.#rows('DELETE FROM upstream_files WHERE id = $1 RETURNING id', [id])).length > 0;
  }

  /** The files of a project, oldest first. */
  listSources(projectId: string): Promise<FileRow[]> {
    return this.#rows(`SELECT ${COLUMNS} FROM upstream_files f WHERE f.project_id = $1 ORDER BY f.created_at, f.id`, [projectId]);
  }

  async findSource(projectId: string, id: string): Promise<FileRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM upstream_files f WHERE f.project_id = $1 AND f.id = $2`;
    const [row] = await this.#rows<FileRow>(sql, [projectId, id]);
    return row;
  }

  /** What was prepared of the ready files of a project, oldest first, with `maxText` characters of each at most, without pictures. */
  readSources(projectId: string, maxText: number): Promise<(PreparedFile & { title: string })[]> {
    const sql = `SELECT file_name AS title, coalesce(left(prepared_text, $2), '') AS text, omitted FROM upstream_files
                  WHERE project_id = $1 AND status = 'ready' ORDER BY created_at, id`;
    return this.#rows(sql, [projectId, maxText]);
  }

  /** Takes over what the upstream says of files of a project that it was still working on, by their references. */
  async setStatuses(projectId: string, statuses: ReadonlyMap<string, SourceStatus>): Promise<void> {
    if (statuses.size > 0) await this.#rows(SET_STATUSES, [projectId, [...statuses.keys()], [...statuses.values()]]);
  }

  /** The projects with files that are due to be asked about; what is claimed here is not claimed by another replica for a while. */
  claimPending(): Promise<PendingProject[]> {
    return this.#rows(CLAIM_PENDING, []);
  }

  /** Files that an upstream has been working on for longer than that will never be ready. */
  async giveUp(projectId: string, afterMs: number): Promise<void> {
    await this.#rows(GIVE_UP, [projectId, afterMs]);
  }

  async #rows<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, [...values])).rows;
  }
}

/** PostgreSQL takes any text but U+0000. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '');
}

function readText(prepared: PreparedFile | undefined): string | null {
  return prepared && (prepared.text !== '' || !prepared.original) ? storable(prepared.text) : null;
}
