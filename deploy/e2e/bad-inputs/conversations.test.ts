import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { said } from '../harness/chat.ts';
import { call } from '../harness/http.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { check, invalid, type Row, senderTo, UNKNOWN_ID } from './rows.ts';

const list = z.array(z.object({ id: z.string(), title: z.string() }));

describe('bad input about conversations', () => {
  inBothTopologies((gateway) => {
    const { tenant, chat } = senderTo(gateway);
    let conversation = '';
    beforeAll(async () => {
      conversation = said(await chat({ say: 'hello' })).conversation;
    });
    afterEach(async () => {
      expect((await call(gateway(), 'GET', '/readyz')).status).toBe(200);
    });
    const send = (method: string, path: string, body?: unknown) =>
      call(gateway(), method, `/v1/conversations${path}`, { key: tenant().apiKey, body });
    const listing = (query: string) => () => send('GET', `?${query}`);
    const changing = (query: string) => () => send('PATCH', `/${conversation}?${query}`);

    it.each<Row>([
      [44, 'a negative limit', listing('limit=-1'), invalid('limit')],
      [44, 'a limit of letters', listing('limit=abc'), invalid('limit')],
      [44, 'a limit of 1e9', listing('limit=1e9'), invalid('limit')],
      [44, 'a limit of a thousand million', listing('limit=1000000000'), invalid('limit')],
      [45, 'two limits', listing('limit=1&limit=2'), invalid('limit')],
      [46, 'an offset of 2^63', listing('offset=9223372036854775808'), invalid('offset')],
      [47, 'U+0000 in a search', listing('search=a%00b'), invalid('search')],
      [48, 'an account that is no UUID', listing('account_filter=x'), invalid('account_filter')],
      [48, 'a project that is no UUID', listing('project_filter=x'), invalid('project_filter')],
      [49, 'an unknown destination', listing('destination_filter=foo'), invalid('destination_filter')],
      [49, 'an unknown status', listing('status_filter=foo'), invalid('status_filter')],
      [50, 'a pin that may be', changing('pinned=maybe'), invalid('pinned')],
      [50, 'two pins', changing('pinned=true&pinned=false'), invalid('pinned')],
      [51, 'a participant that is no UUID', () => send('DELETE', `/${conversation}/participants/x`), invalid('user_id')],
      [51, 'the same to change', () => send('PATCH', `/${conversation}/participants/x`, { role: 'viewer' }), invalid('user_id')],
      [51, 'an unknown role', () => send('POST', `/${conversation}/share`, { user_id: UNKNOWN_ID, role: 'king' }), invalid('role')],
      [84, 'U+0000 in an id', () => send('GET', '/a%00b'), invalid('conversation_id')],
      [84, 'a way out in an id', () => send('GET', '/..%2f..%2fadmin'), invalid('conversation_id')],
      ['', 'a title of two lines', () => send('POST', '', { title: 'a\nb' }), invalid('title')],
      ['', 'half of a surrogate pair in a title', () => send('POST', '', '{"title":"\\ud800"}'), invalid('title')],
    ])('row %s: %s', check);

    it('row 47: what means something in a pattern is searched for as it is', async () => {
      const odd = ['100%_sure', '100 % sure', 'a\\b', "it's"];
      for (const title of odd) await send('POST', '', { title });
      const found = async (search: string) => {
        const { json } = await listing(`search=${encodeURIComponent(search)}`)();
        return list.parse(json).map(({ title }) => title);
      };
      expect(await found('%_')).toEqual(['100%_sure']);
      expect(await found('%_SURE')).toEqual(['100%_sure']);
      expect(await found('\\')).toEqual(['a\\b']);
      expect(await found("'")).toEqual(["it's"]);
      expect(await found('_______________')).toEqual([]);
    });

    it('row 53: a change of nothing changes nothing', async () => {
      const { status, json } = await send('PATCH', `/${conversation}`);
      expect({ status, json }).toMatchObject({ status: 200, json: { id: conversation, object: 'conversation' } });
    });
  });
});
