import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findFirstArrayIssue } from './find-first-array-issue.ts';

/** A schema, and how often one of its elements was checked. */
function counted() {
  const checks = { count: 0 };
  const leaf = z.string().refine((text) => (checks.count++, text !== 'bad'), 'is bad');
  const schema = z.object({
    names: z.array(leaf).max(50).nullish(),
    items: z.array(z.object({ content: z.union([z.string(), z.array(z.object({ text: leaf })).min(1)]) })).optional(),
  });
  return { schema, checks };
}

describe('findFirstArrayIssue', () => {
  it('stops at the first element that is wrong', () => {
    const { schema, checks } = counted();
    const items = Array.from({ length: 10_000 }, () => ({ content: [{ text: 'bad' }] }));
    expect(findFirstArrayIssue(schema, { items })).toMatchObject({ path: ['items', 0, 'content', 0, 'text'], message: 'is bad' });
    expect(checks.count).toBeLessThan(5);
  });

  it('says of a union what the schema says of it', () => {
    const { schema } = counted();
    const content = Array.from({ length: 10_000 }, () => ({ text: 7 }));
    const [issue] = schema.safeParse({ items: [{ content: [{ text: 7 }] }] }).error?.issues ?? [];
    expect(findFirstArrayIssue(schema, { items: [{ content }] })).toEqual({ path: issue?.path, message: issue?.message });
  });

  it('looks at how many elements there are before it looks at one', () => {
    const { schema, checks } = counted();
    expect(findFirstArrayIssue(schema, { names: Array.from({ length: 51 }, () => 'bad') })).toMatchObject({ path: ['names'] });
    expect(checks.count).toBe(0);
  });

  it('leaves short arrays, and what is no array, to the schema', () => {
    const { schema, checks } = counted();
    for (const value of [undefined, null, 7, 'x', [], {}, { names: null }, { names: ['bad'] }, { items: { content: [] } }]) {
      expect(findFirstArrayIssue(schema, value)).toBeUndefined();
    }
    expect(checks.count).toBe(0);
  });

  it('finds nothing wrong with what is right', () => {
    const { schema } = counted();
    const items = Array.from({ length: 100 }, () => ({ content: [{ text: 'good' }] }));
    expect(findFirstArrayIssue(schema, { names: Array.from({ length: 50 }, () => 'good'), items })).toBeUndefined();
  });
});
