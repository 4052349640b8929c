import { connectBus } from '@parley/kit/bus/bus';
import { createLogger } from '@parley/kit/log/logger';
import { waitFor } from '@parley/kit/testing/wait-for';
import { NOTICES } from '@parley/protos/subjects';
import pg from 'pg';
import { type WorkspaceRole } from '../src/config/roles.ts';
import { type TestFixture } from './harness.ts';

/** Runs statements on the database of a fixture. */
export async function sql<T extends object>(fixture: TestFixture, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: fixture.config.databaseUrl, options: '-c search_path=edge' });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Gives a member another role, or none, and makes it known as every change of rights is. */
export async function setRole(fixture: TestFixture, userId: string, workspaceId: string, role: WorkspaceRole | null): Promise<void> {
  await (role === null
    ? sql(fixture, 'DELETE FROM memberships WHERE user_id = $1 AND workspace_id = $2', [userId, workspaceId])
    : sql(fixture, 'UPDATE memberships SET role = $3 WHERE user_id = $1 AND workspace_id = $2', [userId, workspaceId, role]));
  await noteChange(userId);
}

/** Makes every edge read again what it knows about a person, a key or a workspace. */
export async function noteChange(id: string): Promise<void> {
  const bus = connectBus({ url: process.env.NATS_URL ?? '', name: 'test', log: createLogger({ service: 'test', level: 'silent' }) });
  await waitFor(() => bus.connected);
  bus.notify(NOTICES.keyChanged, Buffer.from(id));
  await bus.drain();
}
