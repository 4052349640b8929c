import { describe, expect, it } from '@jest/globals';
import { type LifecycleEvent, EMPTY_ANSWER, addChunk } from './partial-answer.ts';

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk' as const, created: 1, model: 'sandbox-1', choices: [] };
const delta = (text: string) => ({ ...CHUNK, choices: [{ index: 0 as const, delta: { content: text }, finish_reason: null }] });
const asset = (id: string, status: 'discovered' | 'ready'): NonNullable<LifecycleEvent['asset']> => ({
  ...{ id, status, asset_type: 'image', file_name: 'a.png', mime_type: 'image/png', size_bytes: 0, retry_count: 0 },
  created_at: '2026-01-01T00:00:00.000Z',
});

describe('addChunk', () => {
  it('joins the text and knows when it began', () => {
    const answer = [delta(''), delta('It '), delta('stands')].reduce((soFar, chunk, at) => addChunk(soFar, chunk, at * 10), EMPTY_ANSWER);
    expect(answer).toMatchObject({ text: 'It stands', firstMs: 10, model: 'sandbox-1' });
  });

  it('has each file once, as it is now, and every event', () => {
    const events: LifecycleEvent[] = [
      { type: 'asset.discovered', asset: asset('1', 'discovered') },
      { type: 'asset.discovered', asset: asset('2', 'discovered') },
      { type: 'asset.ready', asset: asset('1', 'ready') },
    ];
    const answer = events.reduce((soFar, event) => addChunk(soFar, { ...CHUNK, lifecycle_event: event }, 0), EMPTY_ANSWER);
    expect(answer.assets.map(({ id, status }) => [id, status])).toEqual([
      ['1', 'ready'],
      ['2', 'discovered'],
    ]);
    expect(answer.events).toHaveLength(3);
  });
});
