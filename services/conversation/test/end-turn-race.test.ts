import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenCall } from '@parley/kit/rpc/call';
import { endTurn } from '../src/handlers/end-turn.ts';
import { startSearchIndexer } from '../src/search/search-indexer.ts';
import { TurnLoad } from '../src/search/turn-load.ts';
import { DEFAULT_ABANDONMENT_LIMITS } from '../src/store/abandonment-limits.ts';
import { DatabaseClock } from '../src/store/database-clock.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { openTurnStore } from '../src/store/turn-store.ts';
import { createFixture, type Fixture, type Running, SILENT } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn } from './turn-client.ts';

describe('the end of a turn whose start another replica commits at the same moment', () => {
  let fixture: Fixture;
  let other: Running;
  let database: Database;
  beforeAll(async () => {
    fixture = await createFixture();
    other = await fixture.start();
    database = openDatabase(fixture.url, SILENT);
  });
  afterAll(async () => {
    await database.close();
    await fixture.close();
  });

  it('is recorded, and leaves no turn open', async () => {
    const client = other.as(newCaller());
    const turn = newBeginTurn();
    const turns = openTurnStore(database.turnPool, DEFAULT_ABANDONMENT_LIMITS, { onEnded: () => undefined, onEvents: () => undefined });
    let isFirst = true;
    // The statement finds no turn, and right after it there is one.
    const overtaken: typeof turns.end = async (closing) => {
      const closed = await turns.end(closing);
      if (isFirst) await client.begin(turn);
      isFirst = false;
      return closed;
    };
    const clock = new DatabaseClock(database.turnPool);
    await clock.sync();
    const store = {
      database,
      turns: { ...turns, end: overtaken },
      clock,
      abandonmentLimits: DEFAULT_ABANDONMENT_LIMITS,
      wakeOutboxRelay: () => undefined,
    };
    const indexer = startSearchIndexer({ database, load: new TurnLoad(), log: SILENT, minBytes: 4_194_304, intervalMs: 3_600_000 });
    const call = new OpenCall(client.caller, 60_000, '');
    await expect(endTurn({ store, indexer }, newEndTurn(turn), call)).resolves.toEqual({ closed: true });
    call.settle();
    await indexer.stop();
    await expect(client.open(turn.conversationId)).resolves.toMatchObject({ busy: false, lastSequence: 1 });
  });
});
