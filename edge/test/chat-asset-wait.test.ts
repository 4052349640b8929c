import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { GatewayError } from '@parley/protos/errors';
import { openChat } from './chat-stream.ts';
import { API_KEY, call, type TestFixture, startFixture } from './harness.ts';
import { PlayedTurn } from './played-turn.ts';

describe('the wait for assets', () => {
  const play = (fixture: TestFixture) => {
    fixture.services.routing.turn = ({ stream: isStreamed }, stream) => {
      const turn = new PlayedTurn(stream);
      turn.make();
      turn.end(isStreamed ? '' : 'text');
    };
  };

  it('is bounded: the stream ends without response.completed, and the client looks for itself', async () => {
    await using fixture = await startFixture({ assetWaitMs: 50 });
    play(fixture);
    const stream = await openChat(fixture, { stream_options: { include_usage: true } });
    await stream.ended;
    expect(stream.words.toSorted()).toEqual(
      ['role', 'stop', 'asset.discovered', 'response.partially_completed', 'usage', '[DONE]'].toSorted(),
    );
    const [announced, open] = ['asset.discovered', 'response.partially_completed'].map((word) => stream.words.indexOf(word));
    expect(announced).toBeLessThan(open ?? 0);
  });

  it('is bounded for answers that are not streamed; they show what is known', async () => {
    await using fixture = await startFixture({ assetWaitMs: 50 });
    fixture.services.assets.failure = new GatewayError('SERVICE_UNAVAILABLE', 'away');
    play(fixture);
    const { status, body } = await call<{ assets: unknown[] }>(`${fixture.edge.url}/v1/chat/completions`, {
      method: 'POST',
      key: API_KEY,
      body: { model: 'auto', messages: [{ role: 'user', content: 'draw' }] },
    });
    expect(status).toBe(200);
    expect(body.assets).toMatchObject([{ asset_type: 'image', file_name: 'cat.png', status: 'discovered', size_bytes: 0, retry_count: 0 }]);
  });

  it('ends when the edge drains, and keeps no drain waiting', async () => {
    await using fixture = await startFixture({ assetWaitMs: 600_000, drainMs: 600_000 });
    play(fixture);
    const stream = await openChat(fixture);
    await waitFor(() => stream.words.includes('response.partially_completed'));
    await fixture.edge.drain();
    await stream.ended;
    expect(stream.words.at(-1)).toBe('[DONE]');
    expect(stream.words).not.toContain('response.completed');
    expect(stream.words).not.toContain('response.failed');
  });

  it('counts as an answer of the workspace', async () => {
    await using fixture = await startFixture({ workspaceConcurrency: 1 });
    play(fixture);
    const stream = await openChat(fixture);
    await waitFor(() => stream.words.includes('response.partially_completed'));
    expect((await openChat(fixture)).status).toBe(429);
    stream.hangUp();
    await waitFor(async () => {
      const next = await openChat(fixture);
      next.hangUp();
      return next.status === 200;
    });
  });
});
