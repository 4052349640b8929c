import { GatewayError } from '@parley/protos/errors';
import type { PoolClient } from 'pg';

const CHARGE = `
INSERT INTO speech_quota (workspace_id, day, characters)
SELECT $1, (now() AT TIME ZONE 'UTC')::date, $2::int WHERE $2::int <= $3::int
ON CONFLICT (workspace_id, day) DO UPDATE SET characters = speech_quota.characters + $2::int
WHERE speech_quota.characters <= $3::int - $2::int
RETURNING characters`;

const UNTIL_MIDNIGHT = `
SELECT (extract(epoch FROM date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day' - (now() AT TIME ZONE 'UTC')) * 1000)::float8 AS ms`;

/** Charges characters to a workspace's quota of today (UTC). @throws AUDIO_QUOTA_EXCEEDED when there are not enough left */
export async function chargeCharacters(
  client: Pick<PoolClient, 'query'>,
  workspaceId: string,
  characters: number,
  daily: number,
): Promise<void> {
  const { rowCount } = await client.query(CHARGE, [workspaceId, characters, daily]);
  if (rowCount === 1) return;
  const { rows } = await client.query<{ ms: number }>(UNTIL_MIDNIGHT);
  throw new GatewayError('AUDIO_QUOTA_EXCEEDED', `the workspace may have ${daily} characters spoken in a day`, {
    retryAfterMs: Math.ceil(rows[0]?.ms ?? 0),
  });
}

/** Refunds characters to the day to which they were charged. */
export async function refundCharacters(
  client: Pick<PoolClient, 'query'>,
  job: { workspaceId: string; createdAt: Date; inputCharacters: number },
): Promise<void> {
  await client.query(
    `UPDATE speech_quota SET characters = greatest(0, characters - $3::int) WHERE workspace_id = $1 AND day = ($2::timestamptz AT TIME ZONE 'UTC')::date`,
    [job.workspaceId, job.createdAt, job.inputCharacters],
  );
}
