import { describe, expect, it } from '@jest/globals';
import { childOf, continueTrace, formatTraceparent, newTrace, parseTraceparent } from './trace.ts';

const HEADER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('traceparent', () => {
  it('survives reading and writing', () => {
    const context = parseTraceparent(HEADER);
    expect(context).toEqual({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true });
    expect(context && formatTraceparent(context)).toBe(HEADER);
  });

  it('gives each hop a span of its own in the same trace', () => {
    const parent = newTrace(true);
    const child = childOf(parent);
    expect(child).toMatchObject({ traceId: parent.traceId, sampled: true });
    expect(child.spanId).not.toBe(parent.spanId);
    expect(parseTraceparent(formatTraceparent(child))).toEqual(child);
  });

  it.each([
    undefined,
    '',
    'garbage',
    HEADER.toUpperCase(),
    `${HEADER}-extra`,
    HEADER.replace('00-', 'ff-'),
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  ])('starts a new trace for %j', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
    expect(continueTrace(header).traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('accepts a later version with more fields', () => {
    expect(parseTraceparent(`cc${HEADER.slice(2)}-what-comes`)?.sampled).toBe(true);
  });
});
