import { describe, expect, it } from '@jest/globals';
import { type Database } from './client.ts';
import { createDefaultWorkspace } from './create-default-workspace.ts';

describe('createDefaultWorkspace', () => {
  /** A database whose transactions fail as often as there are errors. */
  function database(errors: Error[]) {
    const seen = { asked: 0 };
    const table = { createMany: () => undefined };
    const $transaction = async () => {
      const error = errors[seen.asked++];
      if (error) throw error;
    };
    return { seen, db: { workspace: table, user: table, membership: table, $transaction } as unknown as Database };
  }

  it('asks again where the database was too slow at the start', async () => {
    const late = Object.assign(new Error('no transaction in the given time'), { code: 'P2028' });
    const { seen, db } = database([late, late]);
    await createDefaultWorkspace(db, undefined);
    expect(seen.asked).toBe(3);
  });

  it('does not repeat what the database refuses', async () => {
    const { seen, db } = database([new Error('no such table')]);
    await expect(createDefaultWorkspace(db, undefined)).rejects.toThrow('no such table');
    expect(seen.asked).toBe(1);
  });
});
