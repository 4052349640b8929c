import { GatewayError } from '@parley/protos/errors';
import type pg from 'pg';
import { type SourceStatus } from '../providers/project-operations.ts';
import { type PreparedFile } from '../providers/upstream-turn.ts';
import { type Database } from './database.ts';

/** A file that was uploaded to a conversation or a project. */
export interface FileRow {
  /** `file_…` for a file of a conversation; a UUIDv7, the id of the source, for a file of a project. */
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

/** A file to insert, with its prepared content if the upstream does not store files. */
export type NewFile = Omit<FileRow, 'createdAt'> & { prepared?: PreparedFile | undefined };

/** A project with files that its upstream is still processing. */
export interface ProjectWithPendingFiles {
  projectId: string;
  projectRef: string;
  workspaceId: string;
  connectionId: string;
}

/** First and longest wait before the status of a file is checked; doubles with every check. */
const FIRST_CHECK_MS = 250;
const LONGEST_CHECK_MS = 15_000;
/** PostgreSQL error code foreign_key_violation. */
const FOREIGN_KEY = '23503';
/** Maximum files that one claim covers. */
const CLAIM = 200;

const COLUMNS = `f.id, f.workspace_id AS "workspaceId", f.connection_id AS "connectionId", f.conversation_id AS "conversationId",
  f.project_id AS "projectId", f.asset_id AS "assetId", f.file_name AS "fileName", f.mime_type AS "mimeType",
  f.size_bytes::float8 AS "sizeBytes", f.status, f.upstream_ref AS "upstreamRef", f.created_at AS "createdAt"`;

const CREATE = `
  INSERT INTO upstream_files AS f (id, workspace_id, connection_id, conversation_id, project_id, asset_id, file_name, mime_type, size_bytes,
                                   status, upstream_ref, prepared_text, prepared_image, omitted, next_check_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now() + ${FIRST_CHECK_MS} * interval '1 millisecond')
  RETURNING ${COLUMNS}`;

// Replicas claim different files: a claimed file is not due again before its next check.
const CLAIM_PENDING = `
  WITH due AS (SELECT id FROM upstream_files WHERE status = 'processing' AND next_check_at <= now()
                ORDER BY next_check_at LIMIT ${CLAIM} FOR UPDATE SKIP LOCKED),
  claimed AS (UPDATE upstream_files f SET checks = checks + 1,
                next_check_at = now() + least(${LONGEST_CHECK_MS}, ${FIRST_CHECK_MS} * power(2, least(checks, 20))) * interval '1 millisecond'
                FROM due WHERE f.id = due.id RETURNING f.project_id)
  SELECT p.id AS "projectId", p.upstream_ref AS "projectRef", p.workspace_id AS "workspaceId", p.connection_id AS "connectionId"
    FROM upstream_projects p WHERE p.id IN (SELECT project_id FROM claimed)`;

const NEXT_CHECK = `SELECT (extract(epoch FROM min(next_check_at) - now()) * 1000)::float8 AS ms FROM upstream_files WHERE status = 'processing'`;

const GIVE_UP = `UPDATE upstream_files SET status = 'failed'
   WHERE project_id = $1 AND status = 'processing' AND created_at < now() - $2::float8 * interval '1 millisecond' RETURNING id`;

/** Updates only files that are still processing: a late response does not change a final status. */
const SET_STATUSES = `UPDATE upstream_files f SET status = reported.status
    FROM unnest($2::text[], $3::text[]) AS reported (ref, status)
   WHERE f.project_id = $1 AND f.upstream_ref = reported.ref AND f.status = 'processing' AND reported.status <> 'processing'
   RETURNING f.id`;

/** Inserts a file. Throws ACCOUNT_NOT_ACTIVE when its connection was removed, and SERVICE_UNAVAILABLE when the database is unavailable. */
export async function insertFile(database: Database, file: NewFile): Promise<FileRow> {
  const { id, workspaceId, connectionId, conversationId, projectId, assetId, fileName, mimeType, sizeBytes, status, upstreamRef } = file;
  const place = [id, workspaceId, connectionId, conversationId, projectId, assetId];
  const prepared = [readText(file.prepared), file.prepared?.original ?? null, storable(file.prepared?.omitted ?? '')];
  const values = [...place, storable(fileName), mimeType, sizeBytes, status, upstreamRef, ...prepared];
  try {
    const [row] = await query<FileRow>(database, CREATE, values);
    return row as FileRow;
  } catch (error) {
    if ((error as { code?: unknown }).code !== FOREIGN_KEY) throw error;
    throw new GatewayError('ACCOUNT_NOT_ACTIVE', 'the account of the file was removed meanwhile', { cause: error });
  }
}

/** Finds the existing files with these ids, in any workspace and in no particular order. */
export function findFiles(database: Database, ids: readonly string[]): Promise<FileRow[]> {
  return query(database, `SELECT ${COLUMNS} FROM upstream_files f WHERE f.id = ANY($1::text[])`, [ids]);
}

/** Whether a conversation has uploaded files. */
export async function hasConversationFiles(database: Database, conversationId: string): Promise<boolean> {
  const sql = 'SELECT EXISTS (SELECT FROM upstream_files WHERE conversation_id = $1) AS has';
  const [row] = await query<{ has: boolean }>(database, sql, [conversationId]);
  return row?.has ?? false;
}

/** Finds the file of a workspace with this id. */
export async function findFile(database: Database, workspaceId: string, id: string): Promise<FileRow | undefined> {
  const [row] = await query<FileRow>(database, `SELECT ${COLUMNS} FROM upstream_files f WHERE f.id = $1 AND f.workspace_id = $2`, [
    id,
    workspaceId,
  ]);
  return row;
}

/**
 * Reads the prepared content of a file, with at most `maxText` characters of text; undefined when the file does not exist or has no
 * prepared content. Of a file with text, the original bytes are returned only when `maxText` is 0, because they may be a hundred times as
 * large.
 */
export async function readPrepared(database: Database, id: string, maxText: number): Promise<PreparedFile | undefined> {
  const original = 'CASE WHEN prepared_text IS NULL OR $2 = 0 THEN prepared_image END';
  const sql = `SELECT left(prepared_text, $2) AS text, ${original} AS original, omitted FROM upstream_files WHERE id = $1`;
  const [row] = await query<{ text: string | null; original: Buffer | null; omitted: string }>(database, sql, [id, maxText]);
  if (!row || (row.text === null && row.original === null)) return undefined;
  return { text: row.text ?? '', omitted: row.omitted, ...(row.original && { original: row.original }) };
}

/** Deletes a file; false when there is none. */
export async function deleteFile(database: Database, id: string): Promise<boolean> {
  return (await query(database, 'DELETE FROM upstream_files WHERE id = $1 RETURNING id', [id])).length > 0;
}

/** Reads the files of a project, oldest first. */
export function readProjectFiles(database: Database, projectId: string): Promise<FileRow[]> {
  return query(database, `SELECT ${COLUMNS} FROM upstream_files f WHERE f.project_id = $1 ORDER BY f.created_at, f.id`, [projectId]);
}

/** Finds the file of a project with this source id. */
export async function findSource(database: Database, projectId: string, id: string): Promise<FileRow | undefined> {
  const sql = `SELECT ${COLUMNS} FROM upstream_files f WHERE f.project_id = $1 AND f.id = $2`;
  const [row] = await query<FileRow>(database, sql, [projectId, id]);
  return row;
}

/** Reads the prepared texts of a project's ready files, oldest first, at most `maxText` characters each; without images. */
export function readSources(database: Database, projectId: string, maxText: number): Promise<(PreparedFile & { title: string })[]> {
  const sql = `SELECT file_name AS title, coalesce(left(prepared_text, $2), '') AS text, omitted FROM upstream_files
                WHERE project_id = $1 AND status = 'ready' ORDER BY created_at, id`;
  return query(database, sql, [projectId, maxText]);
}

/**
 * Stores the statuses that the upstream reports for processing files of a project, by upstream reference. True when this call changed a
 * status; each change is made by one replica only.
 */
export async function setFileStatuses(
  database: Database,
  projectId: string,
  statuses: ReadonlyMap<string, SourceStatus>,
): Promise<boolean> {
  if (statuses.size === 0) return false;
  return (await query(database, SET_STATUSES, [projectId, [...statuses.keys()], [...statuses.values()]])).length > 0;
}

/** Claims projects with files whose status is due to be checked; no other replica claims them for a while. */
export function claimProjectsWithPendingFiles(database: Database): Promise<ProjectWithPendingFiles[]> {
  return query(database, CLAIM_PENDING, []);
}

/** Milliseconds until the status of a file is due to be checked, zero or less when one is; null without an unfinished file. */
export async function findNextCheckDelayMs(database: Database): Promise<number | null> {
  const [row] = await query<{ ms: number | null }>(database, NEXT_CHECK, []);
  return row?.ms ?? null;
}

/** Marks files of a project as failed that have been processing for longer than `afterMs`. False when there are none. */
export async function failStaleFiles(database: Database, projectId: string, afterMs: number): Promise<boolean> {
  return (await query(database, GIVE_UP, [projectId, afterMs])).length > 0;
}

async function query<Row extends pg.QueryResultRow>({ pool }: Database, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await pool.query<Row>(text, [...values])).rows;
}

/** Removes U+0000, which PostgreSQL rejects. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '');
}

function readText(prepared: PreparedFile | undefined): string | null {
  return prepared && (prepared.text !== '' || !prepared.original) ? storable(prepared.text) : null;
}
