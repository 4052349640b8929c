import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type ListTurnsRequest, type TurnTimes } from '@parley/protos/conversation/v1/conversation';
import { useService } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

const TIMES: TurnTimes = { routedMs: 2, committedMs: 5, askedMs: 6, acceptedMs: 40, firstTokenMs: 45, answeredMs: 90 };
const OPERATOR = { caller: { ...SYSTEM_CALLER, requestId: 'operator' }, deadlineMs: 20_000 };
const DAY_MS = 86_400_000;

/** A UUIDv7 of another time. */
function uuidv7At(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${uuidv7().slice(13)}`;
}

describe('the turns of a request', () => {
  const service = useService();
  const get = async (id: string) => (await service.running.stub.getRequest({ id }, OPERATOR)).turns;
  const as = (requestId: string) => service.running.as(newCaller({ requestId }));
  const indexed = async (requestId: string) =>
    (
      await service.fixture.sql.query('SELECT id FROM turns WHERE NOT is_timed_request_id(request_id, started_at) AND request_id = $1', [
        requestId,
      ])
    ).rowCount;

  it('has the times, the reason and the only attempt of a turn that its first connection answered', async () => {
    const client = as(uuidv7());
    const turn = await client.turn(newBeginTurn(), { times: TIMES, routeReason: 'healthiest' });
    const { workspaceId, keyId, requestId } = client.caller;
    const stories = await get(requestId);
    expect(stories).toMatchObject([
      {
        ...{ turnId: turn.turnId, conversationId: turn.conversationId, requestId, workspaceId, keyId, sequence: 1 },
        ...{ status: 'completed', finishReason: 'stop', tokensIn: 3, tokensOut: 5, durationMs: 120, connectionId: 'account-1' },
        ...{ routeReason: 'healthiest', times: TIMES },
        attempts: [{ connectionId: 'account-1', outcome: 'ok', durationMs: 84 }],
      },
    ]);
    expect(stories[0]?.endedAt).toBeInstanceOf(Date);
    await expect(get(turn.turnId.toUpperCase())).resolves.toEqual(stories);
  });

  it.each([
    ['that the edge generated', () => uuidv7(), 0],
    ['of a client', () => `trip planner ${uuidv7()}`, 1],
    ['of a client, with the time of another day', () => uuidv7At(Date.now() - DAY_MS), 1],
    ['of a client, with a time to come', () => uuidv7At(Date.now() + DAY_MS), 1],
    ['of a client, with a time after all dates', () => `ffffffff-${uuidv7()}`, 1],
    ['of a client, in upper case', () => uuidv7().toUpperCase(), null],
  ])('is found by an id %s', async (_whose, make, entries) => {
    const client = as(make());
    const turn = await client.turn(newBeginTurn());
    expect((await get(client.caller.requestId)).map(({ turnId }) => turnId)).toEqual([turn.turnId]);
    if (entries !== null) await expect(indexed(client.caller.requestId)).resolves.toBe(entries);
  });

  it('is found by a generated id however long its turn waited for its start', async () => {
    const [near, far] = [uuidv7At(Date.now() - 60_000), uuidv7At(Date.now() - 140_000)];
    for (const id of [near, far]) {
      await as(id).turn(newBeginTurn());
      await expect(get(id)).resolves.toHaveLength(1);
    }
    await expect(indexed(near)).resolves.toBe(0);
    await expect(indexed(far)).resolves.toBe(1);
  });

  it('has all turns of an id that a client sent several times, oldest first, and those that are streaming', async () => {
    const client = as(`same ${uuidv7()}`);
    const first = await client.turn(newBeginTurn(), {
      status: 'failed',
      error: { condition: 'PROVIDER_TIMEOUT', message: 'late' },
      times: {},
    });
    const second = nextBeginTurn(first);
    await client.begin(second);
    const [failed, streaming] = await get(client.caller.requestId);
    expect(failed).toMatchObject({
      turnId: first.turnId,
      error: { condition: 'PROVIDER_TIMEOUT' },
      attempts: [{ outcome: 'PROVIDER_TIMEOUT' }],
    });
    expect(streaming).toMatchObject({ turnId: second.turnId, status: 'streaming', attempts: [], times: {}, connectionId: 'account-1' });
    expect(streaming?.endedAt).toBeUndefined();
  });

  it('has the attempts that were made, and none for a turn that came to no upstream', async () => {
    const client = as(uuidv7());
    const attempt = { connectionId: 'account-1', outcome: 'PROVIDER_UNAVAILABLE', upstreamStatus: 503, words: 'overloaded', durationMs: 7 };
    const attempts = [attempt, { ...attempt, connectionId: 'account-2', outcome: 'ok', upstreamStatus: 200, words: '' }];
    const first = await client.turn(newBeginTurn(), { attempts, times: TIMES });
    const refused = { status: 'failed', finishReason: '', times: { routedMs: 1, committedMs: 2 }, routeReason: 'no Reason; at all' };
    await client.turn(nextBeginTurn(first), refused);
    const uncommitted = { status: 'failed', finishReason: '', times: { routedMs: 1 } };
    await client.turn(newBeginTurn(), uncommitted);
    expect(await get(client.caller.requestId)).toMatchObject([{ attempts }, { attempts: [], routeReason: '' }, { attempts: [] }]);
  });

  it('is not found for an unknown id, and is for no key', async () => {
    for (const id of ['unknown', uuidv7(), '']) await expect(get(id)).rejects.toMatchObject({ condition: 'REQUEST_NOT_FOUND' });
    const init = { caller: service.client.caller, deadlineMs: 20_000 };
    const { stub } = service.running;
    const refusal = { condition: 'TENANT_ACCESS_DENIED' };
    await expect(stub.getRequest({ id: 'x' }, init)).rejects.toMatchObject(refusal);
    await expect(stub.listTurns(toListRequest(), init)).rejects.toMatchObject(refusal);
    await expect(stub.sumTokens({}, init)).rejects.toMatchObject(refusal);
  });
});

function toListRequest(over: Partial<ListTurnsRequest> = {}): ListTurnsRequest {
  return {
    status: '',
    errorConditions: [],
    keyId: '',
    connectionId: '',
    workspaceId: '',
    slowerThanMs: 0,
    limit: 0,
    cursor: '',
    model: '',
    ...over,
  };
}

describe('the list of turns', () => {
  const service = useService();
  const list = (over: Partial<ListTurnsRequest>) => service.running.stub.listTurns(toListRequest(over), OPERATOR);
  const idsOf = async (over: Partial<ListTurnsRequest>) => (await list(over)).turns.map(({ turnId }) => turnId);

  it('is in pages, the newest first, and filters', async () => {
    const [mine, other] = [service.running.as(newCaller()), service.running.as(newCaller())];
    const before = new Date();
    const slow = await mine.turn(newBeginTurn(), { durationMs: 5_000 });
    const failed = await mine.turn(newBeginTurn(), { status: 'failed', error: { condition: 'PROVIDER_TIMEOUT', message: '' } });
    const elsewhere = await other.turn(newBeginTurn(), { connectionId: 'account-2', model: 'answered' });
    const streaming = newBeginTurn({ model: 'asked' });
    await other.begin(streaming);
    const all = [streaming, elsewhere, failed, slow].map(({ turnId }) => turnId);
    await expect(idsOf({})).resolves.toEqual(all);
    const first = await list({ limit: 3 });
    expect(first.turns.map(({ turnId }) => turnId)).toEqual(all.slice(0, 3));
    await expect(list({ limit: 3, cursor: first.nextCursor })).resolves.toMatchObject({ turns: [{ turnId: slow.turnId }], nextCursor: '' });
    const { keyId, workspaceId } = mine.caller;
    await expect(idsOf({ keyId })).resolves.toEqual([failed.turnId, slow.turnId]);
    await expect(idsOf({ workspaceId: workspaceId.toUpperCase(), status: 'completed' })).resolves.toEqual([slow.turnId]);
    await expect(idsOf({ errorConditions: ['PROVIDER_UNAVAILABLE', 'PROVIDER_TIMEOUT'] })).resolves.toEqual([failed.turnId]);
    await expect(idsOf({ connectionId: 'account-2' })).resolves.toEqual([elsewhere.turnId]);
    await expect(idsOf({ model: 'answered' })).resolves.toEqual([elsewhere.turnId]);
    await expect(idsOf({ model: 'asked' })).resolves.toEqual([streaming.turnId]);
    await expect(idsOf({ slowerThanMs: 5_000 })).resolves.toEqual([slow.turnId]);
    await expect(idsOf({ status: 'streaming' })).resolves.toEqual([streaming.turnId]);
    await expect(idsOf({ since: before })).resolves.toEqual(all);
    await expect(idsOf({ until: before })).resolves.toEqual([]);
    await expect(idsOf({ since: new Date(before.getTime() + DAY_MS) })).resolves.toEqual([]);
  });

  it.each([
    ['limit', { limit: 201 }],
    ['cursor', { cursor: 'x' }],
    ['key_id', { keyId: 'x' }],
    ['workspace_id', { workspaceId: 'x' }],
  ])('rejects a bad %s', async (param, over) => {
    await expect(list(over)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param });
  });
});

describe('the sums of tokens', () => {
  const service = useService();
  const sum = async (since: Date, until: Date) => (await service.running.stub.sumTokens({ since, until }, OPERATOR)).minutes;

  it('are those of the turns that ended in each minute, however long they took', async () => {
    const ended = async (at: string, tokensIn: number) => {
      const turn = newBeginTurn();
      await service.client.begin(turn);
      await service.client.end(newEndTurn(turn, { tokensIn }));
      await service.fixture.sql.query('UPDATE turn_ends SET ended_at = $2 WHERE turn_id = $1', [turn.turnId, at]);
    };
    await ended('2026-01-02T03:04:59.999Z', 10);
    await ended('2026-01-02T03:05:00.000Z', 20);
    await ended('2026-01-02T03:05:30.000Z', 30);
    await ended('2026-01-02T03:06:00.000Z', 40);
    await expect(sum(new Date('2026-01-02T03:04:00Z'), new Date('2026-01-02T03:06:00Z'))).resolves.toEqual([
      { minute: new Date('2026-01-02T03:04:00Z'), tokens: 15 },
      { minute: new Date('2026-01-02T03:05:00Z'), tokens: 60 },
    ]);
  });

  it('are for an hour at most', async () => {
    const at = new Date('2025-01-02T03:00:00Z');
    for (const until of [at, new Date(at.getTime() + 3_600_001)]) {
      await expect(sum(at, until)).rejects.toMatchObject({ condition: 'VALIDATION_ERROR', param: 'since' });
    }
    await expect(sum(at, new Date(at.getTime() + 3_600_000))).resolves.toEqual([]);
  });
});
