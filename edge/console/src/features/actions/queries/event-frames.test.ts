import { describe, expect, it } from '@jest/globals';
import { takeFrames } from './event-frames.ts';

describe('takeFrames', () => {
  it('keeps what is not complete for the next time', () => {
    const first = takeFrames(': ping\n\nid: 1\nevent: run.started\ndata: {"a":1}\n\nid: 2\nda');
    expect(first).toEqual({ data: ['{"a":1}'], rest: 'id: 2\nda' });
    expect(takeFrames(`${first.rest}ta: {"a":2}\n\n`)).toEqual({ data: ['{"a":2}'], rest: '' });
  });

  it('joins the lines of one event', () => {
    expect(takeFrames('data: a\r\ndata:b\r\n\r\n').data).toEqual(['a\nb']);
  });
});
