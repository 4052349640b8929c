import { describe, expect, it } from '@jest/globals';
import {
  MAX_STORED_ATTEMPTS,
  MAX_ATTEMPT_MESSAGE_LENGTH,
  type StoredAttempt,
  attemptsToJson,
  listFailedConnectionIds,
} from './turn-attempts.ts';

const attempt = { connectionId: 'a', outcome: 'PROVIDER_UNAVAILABLE', upstreamStatus: 503, words: '', durationMs: 7 };
const stored = (attempts: Parameters<typeof attemptsToJson>[0]) => JSON.parse(attemptsToJson(attempts) ?? 'null') as StoredAttempt[] | null;

describe('the attempts of a turn', () => {
  it('are null for a turn that its first connection answered', () => {
    expect(attemptsToJson([])).toBeNull();
    expect(listFailedConnectionIds(null)).toEqual([]);
  });

  it('are stored in order, up to the maximum number and length', () => {
    const kept = stored(Array.from({ length: 20 }, (_, at) => ({ ...attempt, connectionId: `a-${at}`, words: '😀'.repeat(200) })));
    expect(kept?.map(({ connection_id }) => connection_id)).toEqual(Array.from({ length: MAX_STORED_ATTEMPTS }, (_, at) => `a-${at}`));
    expect(kept?.[0]?.words).toBe('😀'.repeat(MAX_ATTEMPT_MESSAGE_LENGTH / 2));
    expect(stored([{ ...attempt, words: `x${'😀'.repeat(200)}` }])?.[0]?.words).toBe(`x${'😀'.repeat(MAX_ATTEMPT_MESSAGE_LENGTH / 2 - 1)}`);
  });

  it('contain no characters that JSON in PostgreSQL rejects', () => {
    expect(stored([{ ...attempt, words: 'a\0b\ud83d' }])?.[0]?.words).toBe('ab\ufffd');
  });

  it('list each failed connection once', () => {
    const attempts = ['a', 'b', 'a'].map((connectionId) => ({ ...attempt, connectionId }));
    expect(listFailedConnectionIds(stored([...attempts, { ...attempt, connectionId: 'c', outcome: 'ok' }]))).toEqual(['a', 'b']);
  });
});
