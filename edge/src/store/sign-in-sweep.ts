import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import { type Database, runQuery } from './client.ts';

const BATCH = 1_000;

/**
 * Deletes sessions and one-time tokens that expired more than a day ago, counts of failed sign-ins that no longer cause a delay, and
 * logouts whose tokens have expired; returns how many rows.
 */
export async function sweepSignIns(db: Database, signal?: AbortSignal): Promise<number> {
  // Edges that sweep at the same time take different rows.
  const sessions = (size: number) =>
    runQuery(db.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at < now() - interval '1 day' LIMIT ${size} FOR UPDATE SKIP LOCKED)`);
  const tokens = (size: number) =>
    runQuery(db.$executeRaw`
    DELETE FROM one_time_tokens WHERE id IN (
      SELECT id FROM one_time_tokens WHERE expires_at < now() - interval '1 day' LIMIT ${size} FOR UPDATE SKIP LOCKED)`);
  const failures = (size: number) =>
    runQuery(db.$executeRaw`
    DELETE FROM sign_in_failures WHERE key IN (
      SELECT key FROM sign_in_failures WHERE last_at < now() - interval '1 day' AND next_at < now() LIMIT ${size} FOR UPDATE SKIP LOCKED)`);
  const logouts = (size: number) =>
    runQuery(db.$executeRaw`
    DELETE FROM oidc_logouts WHERE digest IN (
      SELECT digest FROM oidc_logouts WHERE expires_at < now() LIMIT ${size} FOR UPDATE SKIP LOCKED)`);
  let swept = 0;
  for (const batch of [sessions, tokens, failures, logouts]) swept += await runInBatches(BATCH, batch, signal);
  return swept;
}
