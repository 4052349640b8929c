import { uuidv7 } from '@parley/kit/ids/uuid';
import { hash, randomBytes } from 'node:crypto';
import pg from 'pg';

/** A person with an open login session, as a browser has it. */
export interface Visitor {
  workspaceId: string;
  userId: string;
  /** The key that counts what the person does; what the person makes belongs to it. */
  keyId: string;
  /** Value of the session's cookie. */
  session: string;
}

/** Stores an owner of the gateway and of its workspace with an open session, and lets the gateway make what belongs to it. */
export async function admitVisitor(databaseUrl: string, url: string): Promise<Visitor> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM edge.workspaces ORDER BY created_at LIMIT 1');
    const workspaceId = rows[0]?.id;
    if (workspaceId === undefined) throw new Error('the gateway has no workspace');
    const [userId, session] = [uuidv7(), randomBytes(32).toString('base64url')];
    await client.query(
      `INSERT INTO edge.users (id, display_name, email, instance_role) VALUES ($1, 'Bench', 'bench@example.com', 'owner')`,
      [userId],
    );
    await client.query(`INSERT INTO edge.memberships (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`, [workspaceId, userId]);
    await client.query(
      `INSERT INTO edge.sessions (id, digest, user_id, method, address, user_agent, expires_at)
       VALUES ($1, $2, $3, 'password', '127.0.0.1', 'bench', now() + interval '1 day')`,
      [uuidv7(), hash('sha256', session, 'buffer'), userId],
    );
    // The first request in a workspace makes the person's key there.
    const response = await fetch(`${url}/me/v1/conversations`, { headers: { cookie: `parley_session=${session}` } });
    if (!response.ok) throw new Error(`a list of conversations was answered with ${response.status}`);
    const { rows: keys } = await client.query<{ id: string }>('SELECT id FROM edge.api_keys WHERE user_id = $1 AND is_personal', [userId]);
    const keyId = keys[0]?.id;
    if (keyId === undefined) throw new Error('the gateway made no key for the person');
    return { workspaceId, userId, keyId, session };
  } finally {
    await client.end();
  }
}
