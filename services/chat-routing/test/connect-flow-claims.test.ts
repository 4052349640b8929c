import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@parley/kit/db/migrate';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { createTestDatabase } from '@parley/kit/testing/database';
import { randomBytes, randomUUID } from 'node:crypto';
import { claimFlow, findFlow, type FlowRow, insertFlow, updateFlowState, releaseFlow } from '../src/store/connect-flows.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from '../src/store/database.ts';

const LOG = createLogger({ service: 'test', level: 'silent' });
const STATE = Buffer.from('state');

describe('the claim of a flow for one answer', () => {
  let database: Database;
  let drop: () => Promise<void>;
  const claims = async (row: FlowRow) => claimFlow(database, row, randomUUID(), 60_000);
  beforeAll(async () => {
    const test = await createTestDatabase();
    drop = () => test.drop();
    await migrate({ url: test.url, schema: SCHEMA, folder: MIGRATIONS, log: LOG });
    database = openDatabase(test.url, LOG);
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  async function begin() {
    const key = { id: uuidv7(), workspaceId: uuidv7(), sessionHash: randomBytes(32) };
    const flow = { ...key, provider: 'sandbox', connectionId: uuidv7(), reconnects: false, label: '', state: STATE };
    const row = await insertFlow(database, flow, 60_000, 5);
    const read = async () => (await findFlow(database, key)) ?? row;
    return { row, read };
  }

  it('is given once for what was read', async () => {
    const { row } = await begin();
    const given = await Promise.all(Array.from({ length: 10 }, () => claims(row)));
    expect(given.filter(Boolean)).toHaveLength(1);
  });

  it('is not given for what was read before or during another answer, however that one ended', async () => {
    for (const end of [
      (id: string, claim: string) => updateFlowState(database, id, claim, { state: STATE, step: 1, wrong: 1 }),
      (id: string, claim: string) => releaseFlow(database, id, claim),
    ]) {
      const { row, read } = await begin();
      const claim = randomUUID();
      await claimFlow(database, row, claim, 60_000);
      const during = await read();
      await end(row.id, claim);
      await expect(claims(row)).resolves.toBe(false);
      await expect(claims(during)).resolves.toBe(false);
      await expect(claims(await read())).resolves.toBe(true);
    }
  });

  it('ends with its time, and an answer that comes later changes nothing', async () => {
    const { row, read } = await begin();
    const late = randomUUID();
    await claimFlow(database, row, late, 0);
    await expect(claims(await read())).resolves.toBe(true);
    await expect(updateFlowState(database, row.id, late, { state: STATE, step: 9, wrong: 9 })).resolves.toBe(false);
    await expect(read()).resolves.toMatchObject({ step: 1, wrong: 0 });
  });
});
