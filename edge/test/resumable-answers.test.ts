import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { randomUUID } from 'node:crypto';
import { startEdgeServer } from '../src/server.ts';
import { type ChatStream, openChat } from './chat-stream.ts';
import { API_KEY, bearer, captureLog, startFixture, type ErrorBody, type TestFixture } from './harness.ts';
import { signInAs, type SignedIn } from './people.ts';
import { PlayedTurn } from './played-turn.ts';

const CHAT = '/me/v1/chat/completions';
const STOP = `${CHAT}/stop`;
const END = ['stop', 'response.completed', '[DONE]'];

describe('an answer of a person', () => {
  let fixture: TestFixture;
  let ada: SignedIn;
  const turns: (PlayedTurn & { isCancelled: boolean })[] = [];
  beforeAll(async () => {
    fixture = await startFixture();
    ada = await signInAs(fixture, { roles: { [DEFAULT_WORKSPACE_ID]: 'member' } });
    fixture.services.routing.turn = (_request, stream) => {
      const turn = Object.assign(new PlayedTurn(stream), { isCancelled: false });
      stream.onCancel = () => (turn.isCancelled = true);
      turns.push(turn);
    };
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  const ask = ({ cookie, csrf }: SignedIn, key: string, said = 'count', edge = fixture.edge): Promise<ChatStream> =>
    openChat(
      { ...fixture, edge },
      { messages: [{ role: 'user', content: said }] },
      { path: CHAT, headers: { cookie, origin: edge.url, 'x-csrf-token': csrf, ...(key && { 'idempotency-key': key }) } },
    );
  /** Asks, and waits for the turn. */
  const begin = async (key: string, person = ada) => {
    const before = turns.length;
    const page = await ask(person, key);
    return { page, turn: await waitFor(() => turns[before]) };
  };
  const has = (page: ChatStream, word: string) => waitFor(() => page.words.includes(word));

  it('goes on when its page leaves, for the page that comes back: all of it, from one turn', async () => {
    const key = randomUUID();
    const { page, turn } = await begin(key);
    turn.think('hm');
    turn.say('one ');
    await has(page, 'one ');
    page.hangUp();
    const begun = turns.length;
    turn.say('two ');
    const again = await ask(ada, key);
    await waitFor(() => again.words.at(-1)?.endsWith('two '));
    turn.say('three');
    turn.end();
    await again.ended;
    expect([again.words.slice(0, 2), again.words.slice(2, -4).join(''), again.words.slice(-4)]).toEqual([
      ['role', '(hm)'],
      'one two ',
      ['three', ...END],
    ]);
    expect([turns.length, turn.isCancelled]).toEqual([begun, false]);
  });

  it('is given to several pages, and its failure too', async () => {
    const key = randomUUID();
    const { page, turn } = await begin(key);
    turn.say('one');
    const other = await ask(ada, key);
    await Promise.all([has(page, 'one'), has(other, 'one')]);
    turn.fail();
    await Promise.all([page.ended, other.ended]);
    for (const { words } of [page, other]) expect(words).toEqual(['role', 'one', 'response.failed', 'error', '[DONE]']);
  });

  it('stops when its person says so, at any edge', async () => {
    const key = randomUUID();
    const { page, turn } = await begin(key);
    page.hangUp();
    await using other = await startEdgeServer({ ...fixture.config, port: 0 }, { log: captureLog().log });
    const headers = { cookie: ada.cookie, origin: other.url, 'x-csrf-token': ada.csrf, 'idempotency-key': key };
    expect((await fetch(`${other.url}${STOP}`, { method: 'POST', headers })).status).toBe(204);
    await waitFor(() => turn.isCancelled);
  });

  it('cannot be read or stopped by other users', async () => {
    const key = randomUUID();
    const { page, turn } = await begin(key);
    const bob = await signInAs(fixture, { roles: { [DEFAULT_WORKSPACE_ID]: 'member' } });
    const { page: his, turn: hisTurn } = await begin(key, bob);
    expect(hisTurn).not.toBe(turn);
    expect((await bob.call('POST', STOP, undefined, { 'idempotency-key': key })).status).toBe(204);
    await waitFor(() => hisTurn.isCancelled);
    turn.say('still here');
    turn.end();
    await page.ended;
    expect(page.words).toEqual(['role', 'still here', ...END]);
    expect(his.words).not.toContain('still here');
  });

  it('is another turn for another question under the same key, which is not resumable', async () => {
    const key = randomUUID();
    const { page, turn } = await begin(key);
    const before = turns.length;
    const other = await ask(ada, key, 'something else');
    const otherTurn = await waitFor(() => turns[before]);
    other.hangUp();
    await waitFor(() => otherTurn.isCancelled);
    expect(turn.isCancelled).toBe(false);
    turn.end();
    await page.ended;
  });

  it('ends with its client without a key to come back with, as every answer of /v1', async () => {
    const { page, turn } = await begin('');
    page.hangUp();
    await waitFor(() => turn.isCancelled);
    const before = turns.length;
    const ofKey = await openChat(fixture, {}, { headers: { ...bearer(API_KEY), 'idempotency-key': randomUUID() } });
    const turnOfKey = await waitFor(() => turns[before]);
    ofKey.hangUp();
    await waitFor(() => turnOfKey.isCancelled);
  });

  it('is one of twenty at most: the next ends with its client', async () => {
    const many = await signInAs(fixture, { roles: { [DEFAULT_WORKSPACE_ID]: 'member' } });
    const kept = [];
    for (let left = 20; left > 0; left--) kept.push(await begin(randomUUID(), many));
    const { page, turn } = await begin(randomUUID(), many);
    for (const one of [...kept, { page }]) one.page.hangUp();
    await waitFor(() => turn.isCancelled);
    expect(kept.filter((one) => one.turn.isCancelled)).toEqual([]);
    for (const one of kept) one.turn.end();
  });

  it('can only be stopped by its key', async () => {
    const refused = await ada.call<ErrorBody>('POST', STOP);
    expect([refused.status, refused.body.error.param]).toEqual([422, 'Idempotency-Key']);
  });
});
