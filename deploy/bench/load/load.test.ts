import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectationOf } from '../mock/scripts.ts';
import { MockServer } from '../mock/server.ts';
import { runClosedLoop } from './closed-loop.ts';
import { runHold } from './hold.ts';
import { runMixed } from './mixed.ts';
import { runOpenLoop } from './open-loop.ts';
import { PROMPT, RequestRenderer } from './request.ts';

const HEADERS = { Authorization: 'Bearer sk-bench' };
let mock: MockServer;
let url: string;

beforeEach(async () => {
  mock = new MockServer();
  url = `http://127.0.0.1:${await mock.listen()}`;
});
afterEach(() => mock.close());

function request(model: string, stream: boolean) {
  return { url, headers: HEADERS, body: JSON.stringify({ model, stream, messages: [] }), expect: expectationOf(model, stream) };
}

/** Long enough for an answer to come on a busy machine. */
const window = { warmMs: 20, windowMs: 1_000 };

describe('load against the mock', () => {
  it.each([
    ['fast', false],
    ['fast', true],
    ['chunks-64', true],
    ['burst-64', true],
    ['delayed-5', false],
  ])('counts complete answers of %s (stream: %s) and lets what is in flight end', async (model, stream) => {
    const edges: string[] = [];
    const result = await runClosedLoop({ kind: 'closed-loop', ...request(model, stream), connections: 4, ...window }, (edge) =>
      edges.push(edge),
    );
    expect(edges).toEqual(['open', 'closed']);
    expect(result.failures).toEqual({});
    expect(result.answered).toBeGreaterThan(0);
    expect(result.answeredEver).toBeGreaterThanOrEqual(result.answered);
    expect(result.bodyBytes).toBeGreaterThanOrEqual(result.answered * request(model, stream).expect.textBytes);
  });

  it('counts an answer that is not what the mock sends as a failure', async () => {
    const job = { ...request('chunks-64', true), expect: { streamed: true, pieces: 65, textBytes: 1024 } };
    const result = await runClosedLoop({ kind: 'closed-loop', ...job, connections: 2, ...window }, () => undefined);
    expect(result).toMatchObject({ answered: 0, answeredEver: 0 });
    expect(Object.keys(result.failures)).toEqual(['64 of 65 chunks']);
  });

  it('ends with a number of answers where it is given one', async () => {
    const job = { kind: 'closed-loop' as const, ...request('fast', false), connections: 4, turns: 101, warmMs: 0, windowMs: 60_000 };
    const edges: number[] = [];
    const result = await runClosedLoop(job, (_, answered) => edges.push(answered));
    expect(result).toMatchObject({ answered: 101, answeredEver: 101, failures: {} });
    expect(edges).toEqual([0, 101]);
  });

  it('asks with a text of its own each time, in a request of the same length, and goes on with conversations', () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: PROMPT }] });
    const requests = new RequestRenderer({ url, headers: HEADERS, body });
    const [first, second] = [requests.next().toString(), requests.next().toString()];
    expect(first).not.toBe(second);
    const [head = '', sent = ''] = first.split('\r\n\r\n');
    expect(head).toContain(`Content-Length: ${sent.length}`);
    expect(JSON.parse(sent)).toEqual({ messages: [{ role: 'user', content: expect.stringMatching(/^[a-z][a-z. ]{699}$/) }] });
    const id = '0198c7d0-0000-7000-8000-000000000001';
    expect(requests.next(id).toString()).toContain(`X-Service-Conversation-Id: ${id}\r\n`);
  });

  it('gives up on a target that is not there', async () => {
    mock.close();
    const result = await runClosedLoop({ kind: 'closed-loop', ...request('fast', false), connections: 2, ...window }, () => undefined);
    expect(result.answeredEver).toBe(0);
    expect(Object.values(result.failures).reduce((sum, n) => sum + n, 0)).toBeLessThan(1_000);
  });

  it('times every answer, first chunk and stamped chunk of a fixed rate', async () => {
    const job = { kind: 'open-loop' as const, ...request('stamped', true), perSecond: 50, ...window };
    const { answered, failures, timings } = await runOpenLoop(job, () => undefined);
    expect(failures).toEqual({});
    expect(answered).toBeGreaterThan(0);
    expect(timings.totalMs).toHaveLength(answered);
    expect(timings.pieceDelayMs.length).toBeGreaterThan(0);
    expect(Math.min(...timings.pieceDelayMs)).toBeGreaterThan(0);
  });

  it('mixes kinds of turns, and breaks off those that are to be broken off', async () => {
    const turn = (model: string, stream: boolean, aborted = false) => ({ ...request(model, stream), continued: false, aborted });
    const turns = [turn('fast', false), turn('stamped', true, true), turn('chunks-64', true)];
    const reports: number[] = [];
    const job = { kind: 'mixed' as const, url, headers: HEADERS, perSecond: 30, windowMs: 1_490, turns };
    const result = await runMixed(job, ({ answered, aborted }) => reports.push(answered + aborted));
    expect(result.failures).toEqual({});
    expect(result).toMatchObject({ answeredEver: 30, aborted: 15 });
    expect(reports.length).toBeGreaterThan(0);
  });

  it('holds streams open until the mock releases them, and gets each to its end', async () => {
    let helds = 0;
    const result = await runHold({ kind: 'hold', ...request('slow-open', true), streams: 120, pauseMs: 1 }, () => {
      helds += 1;
      if (helds === 2) mock.release();
    });
    expect(result).toMatchObject({ answered: 120, answeredEver: 120, failures: {} });
  });
});
