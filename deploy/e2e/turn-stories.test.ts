import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ask, said, stream } from './harness/chat.ts';
import { parleyCommand } from './harness/cli.ts';
import { readStream, readUntil } from './harness/event-stream.ts';
import { expectRefusal } from './harness/expectations.ts';
import { call } from './harness/http.ts';
import { Operator } from './harness/operator.ts';
import { Sandbox } from './harness/sandbox.ts';
import { makeTenant, onlyAccount } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const turn = z.looseObject({
  turn_id: z.string(),
  request_id: z.string(),
  status: z.string(),
  timeline: z.array(z.object({ at_ms: z.number(), event: z.string(), detail: z.string() })),
});
const page = z.object({ turns: z.array(turn), next_cursor: z.string().nullable() });

/** Words that only ever stand in messages. */
const SPOKEN = 'heliotrope-in-a-message';

describe('what the operator learns of a request', () => {
  inBothTopologies((gateway) => {
    const operator = new Operator(gateway);
    const story = async (id: string) => {
      const answer = await operator.call('GET', `/requests/${encodeURIComponent(id)}`);
      expect(answer.text).not.toContain(SPOKEN);
      return z.object({ turns: z.array(turn) }).parse(answer.json).turns;
    };
    const list = async (query: Record<string, string>) => {
      const answer = await operator.call('GET', `/turns?${new URLSearchParams(query).toString()}`);
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: expect.not.stringContaining(SPOKEN) });
      return page.parse(answer.json);
    };

    it('is the whole way of a turn, by the id that the gateway generated and by that of the turn', async () => {
      const tenant = await makeTenant(gateway);
      const { label } = onlyAccount(tenant);
      const answer = await stream(gateway(), { key: tenant.apiKey, say: SPOKEN });
      await readStream(answer);
      const requestId = answer.headers.get('x-request-id') ?? '';
      const [first, ...others] = await story(requestId);
      expect(others).toEqual([]);
      expect(first).toMatchObject({
        ...{ request_id: requestId, workspace_id: tenant.workspaceId, key_id: tenant.keyId, sequence: 1, status: 'completed', error: null },
        connection: { label },
        attempts: [{ connection: { label }, outcome: 'ok' }],
      });
      const times = first?.timeline.map(({ at_ms }) => at_ms) ?? [];
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const events = first?.timeline.map(({ event }) => event);
      expect(events).toEqual(expect.arrayContaining(['routing.chosen', 'record.begun', 'upstream.asked', 'upstream.accepted']));
      expect(events?.at(-1)).toBe('record.ended');
      expect(await story(first?.turn_id ?? '')).toEqual([first]);
    });

    it('is found by an id that the client chose, also while it streams', async () => {
      const tenant = await makeTenant(gateway);
      const id = `trip/${randomUUID()}`;
      const headers = { 'x-request-id': id };
      const { conversation } = said(await ask(gateway(), { key: tenant.apiKey, headers }));
      await new Sandbox(gateway).paced(20, async () => {
        const more = { key: tenant.apiKey, headers, conversation, say: 'count to 10000' };
        const { reader } = await readUntil(await stream(gateway(), more), (raw) => raw.includes('" 3"'));
        const turns = await story(id);
        expect(turns.map(({ status }) => status)).toEqual(['completed', 'streaming']);
        expect(turns.at(-1)?.timeline.at(-1)?.event).toBe('turn.streaming');
        const { turns: running } = await list({ key_id: tenant.keyId, status: 'streaming' });
        expect(running.map(({ turn_id }) => turn_id)).toEqual([turns.at(-1)?.turn_id]);
        await reader.cancel();
      });
    });

    it('is nothing for an unknown id, and for a key of a workspace', async () => {
      expectRefusal(await operator.call('GET', `/requests/${randomUUID()}`), { status: 404, code: 'REQUEST_NOT_FOUND' });
      const refused = { status: 401, code: 'INVALID_ADMIN_TOKEN' };
      for (const path of ['/admin/v1/requests/x', '/admin/v1/turns']) {
        expectRefusal(await call(gateway(), 'GET', path, { key: gateway().apiKey }), refused);
      }
    });

    it('lists turns by status, code, connection and time, in pages', async () => {
      const tenant = await makeTenant(gateway);
      const { apiKey: key, workspaceId: workspace_id } = tenant;
      const account = onlyAccount(tenant);
      said(await ask(gateway(), { key }));
      await account.order({ fault: 'server_error' });
      expect((await ask(gateway(), { key })).status).toBeGreaterThanOrEqual(500);
      const { turns: all } = await list({ workspace_id });
      expect(all.map(({ status }) => status)).toEqual(['failed', 'completed']);
      const [failed, completed] = all;
      const code = z.object({ code: z.string() }).parse(failed?.['error']).code;
      await expect(list({ workspace_id, error_code: code.toLowerCase() })).resolves.toMatchObject({ turns: [failed] });
      await expect(list({ workspace_id, status: 'completed', connection_id: account.connectionId })).resolves.toMatchObject({
        turns: [completed],
      });
      await expect(list({ workspace_id, slower_than: '86400000' })).resolves.toEqual({ turns: [], next_cursor: null });
      const first = await list({ workspace_id, limit: '1' });
      expect(first.turns).toEqual([failed]);
      await expect(list({ workspace_id, limit: '1', cursor: first.next_cursor ?? '' })).resolves.toMatchObject({ turns: [completed] });
      await expect(list({ workspace_id, until: new Date(Date.now() - 3_600_000).toISOString() })).resolves.toMatchObject({ turns: [] });
    });

    it.each(['since=yesterday', 'status=done', 'error_code=NONE_OF_OURS', 'key_id=x', 'slower_than=-1', 'limit=201', 'cursor=x'])(
      'rejects %s',
      async (query) => {
        const refusal = { status: 422, code: 'VALIDATION_ERROR', param: query.slice(0, query.indexOf('=')) };
        expectRefusal(await operator.call('GET', `/turns?${query}`), refusal);
      },
    );

    it('is what npx parley trace draws, and npx parley turns lists', async () => {
      const tenant = await makeTenant(gateway);
      const id = `cli-${randomUUID()}`;
      said(await ask(gateway(), { key: tenant.apiKey, say: SPOKEN, headers: { 'x-request-id': id } }));
      const drawn = await parleyCommand(gateway(), 'trace', id);
      expect(drawn).toMatch(new RegExp(`^Request +${id}$`, 'm'));
      expect(drawn).toMatch(/ upstream\.asked +/);
      expect(drawn).toMatch(/ record\.ended +completed$/m);
      const listed = await parleyCommand(gateway(), 'turns', '--workspace', tenant.workspaceId, '--since', '1h');
      expect(listed).toContain(id);
      const json = page.shape.turns.parse(JSON.parse(await parleyCommand(gateway(), 'turns', '--workspace', tenant.workspaceId, '--json')));
      expect(json.map(({ request_id }) => request_id)).toEqual([id]);
      await expect(parleyCommand(gateway(), 'trace', `${id}-unknown`)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no turn is recorded'),
      });
    });
  });
});
