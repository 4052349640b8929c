import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { AT, type FakeActions } from './fake-actions.ts';
import { API_KEY, bearer, call, type TestFixture, startFixture } from './harness.ts';

const STREAM = { accept: 'text/event-stream' };

describe('what happened in a run', () => {
  let fixture: TestFixture;
  let actions: FakeActions;
  let id: string;
  beforeAll(async () => {
    fixture = await startFixture();
    actions = fixture.services.actions;
  });
  beforeEach(() => {
    actions.failure = undefined;
    actions.calls.length = 0;
    id = actions.accept({ slug: 'summarise', connectionId: '' }, DEFAULT_WORKSPACE_ID).id;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());
  const path = (query = '') => `${fixture.edge.url}/v1/actions/summarise/runs/${id}/events${query}`;
  const happen = (...types: string[]) =>
    types.forEach((type) => actions.happen(id, type, type.startsWith('step.') ? 'read' : '', '{"n":1}'));

  it('is a list in order, a page at a time, with the way to the next one', async () => {
    happen('run.started', 'step.started', 'step.succeeded');
    const first = await call<Record<string, unknown>[]>(path('?limit=2'), { key: API_KEY });
    expect(first.body).toEqual([
      { sequence: 1, type: 'run.accepted', step_id: null, data: {}, at: AT.toISOString() },
      { sequence: 2, type: 'run.started', step_id: null, data: { n: 1 }, at: AT.toISOString() },
    ]);
    expect(first.headers.get('link')).toBe(`</v1/actions/summarise/runs/${id}/events?after=2&limit=2>; rel="next"`);
    const rest = await call<Record<string, unknown>[]>(path('?after=2'), { key: API_KEY });
    expect(rest.body.map(({ sequence, step_id }) => [sequence, step_id])).toEqual([
      [3, 'read'],
      [4, 'read'],
    ]);
    happen('run.ended');
    expect((await call(path('?after=4'), { key: API_KEY })).headers.get('link')).toBeNull();
  });

  it.each(['after=-1', 'after=x', 'after=1&after=2', 'limit=0', 'limit=201'])('is not asked for with %s', async (query) => {
    const { status, body } = await call<{ error: { param: string } }>(path(`?${query}`), { key: API_KEY });
    expect([status, body.error.param]).toEqual([422, query.slice(0, query.indexOf('='))]);
  });

  /** Opens the stream and gathers what comes. */
  const open = async (query = '', headers: Record<string, string> = {}) => {
    const aborting = new AbortController();
    const response = await fetch(path(query), { headers: { ...bearer(API_KEY), ...STREAM, ...headers }, signal: aborting.signal });
    const heard = { text: '', isOver: false };
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) heard.text += decoder.decode(chunk, { stream: true });
      heard.isOver = true;
    })().catch(() => undefined);
    return { response, heard, reading, abort: () => aborting.abort() };
  };
  const ids = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));

  it('sends each event as it happens, with its number, until the run has ended', async () => {
    happen('run.started');
    const { response, heard, reading } = await open();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await waitFor(() => ids(heard.text).length === 2);
    happen('step.started', 'step.succeeded');
    await waitFor(() => ids(heard.text).length === 4);
    expect(heard.isOver).toBe(false);
    happen('run.ended');
    await reading;
    expect(ids(heard.text)).toEqual([1, 2, 3, 4, 5]);
    expect(heard.text).toContain(`id: 3\nevent: step.started\ndata: {"sequence":3,"type":"step.started","step_id":"read","data":{"n":1}`);
  });

  it.each([
    ['?after=1', {}],
    ['', { 'last-event-id': '1' }],
  ])('goes on where it broke off (%s %j)', async (query, headers) => {
    happen('run.started', 'run.ended');
    const { heard, reading } = await open(query, headers);
    await reading;
    expect(ids(heard.text)).toEqual([2, 3]);
  });

  it('answers 204 to a client that has received all events', async () => {
    happen('run.ended');
    expect((await open('', { 'last-event-id': '2' })).response.status).toBe(204);
  });

  it('refuses a number to go on from that is none', async () => {
    const { response } = await open('', { 'last-event-id': 'seven' });
    expect(response.status).toBe(422);
  });

  it('survives a service that is away for a moment', async () => {
    const { heard, reading } = await open();
    actions.failure = new GatewayError('SERVICE_UNAVAILABLE', 'away');
    const before = actions.calls.length;
    await waitFor(() => actions.calls.length > before);
    actions.failure = undefined;
    happen('run.ended');
    await reading;
    expect(ids(heard.text)).toEqual([1, 2]);
  });

  it('ends when the edge stops, and goes on at another one', async () => {
    const other = await startFixture({ databaseUrl: fixture.config.databaseUrl });
    const run = other.services.actions.accept({ slug: 'summarise', connectionId: '' }, DEFAULT_WORKSPACE_ID);
    const url = `${other.edge.url}/v1/actions/summarise/runs/${run.id}/events`;
    const response = await fetch(url, { headers: { ...bearer(API_KEY), ...STREAM } });
    const [text] = await Promise.all([response.text(), other.edge.drain()]);
    expect(ids(text)).toEqual([1]);
    await other[Symbol.asyncDispose]();
  });
});
