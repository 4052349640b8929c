import { describe, expect, it } from '@jest/globals';
import { randomHex, parseTraceparent, toSampledTraceparent, formatTraceparent } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it('reads what it writes', () => {
    const context = { traceId: TRACE, spanId: SPAN, sampled: true };
    expect(parseTraceparent(formatTraceparent(context))).toEqual(context);
    expect(parseTraceparent(formatTraceparent({ ...context, sampled: false }))).toMatchObject({ sampled: false });
  });

  it('reads a later version with further fields', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
  });

  it.each([
    '',
    'x',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
  ])('takes %j for no parent', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('keeps only what is sampled', () => {
    const sampled = `00-${TRACE}-${SPAN}-01`;
    const odd = [`00-${TRACE}-${SPAN}-0b`, `01-${TRACE}-${SPAN}-01-more`];
    const others = ['', 'x', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-0a`, `00-${'0'.repeat(32)}-${SPAN}-01`, 'x'.repeat(54) + '1'];
    expect([...others, sampled, ...odd].map(toSampledTraceparent)).toEqual([...others.map(() => ''), sampled, ...odd]);
  });

  it('makes ids that differ', () => {
    const ids = Array.from({ length: 2_000 }, () => randomHex(8));
    expect(new Set(ids).size).toBe(2_000);
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
    expect(randomHex(16)).toMatch(/^[0-9a-f]{32}$/);
  });
});
