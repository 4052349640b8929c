import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toRequestDigest, type DigestedRequest } from './request-digest.ts';

const text = fc.string({ unit: fc.constantFrom('a', '"', ',', ']', '\\', '\u{1f600}'), maxLength: 4 });
const part = fc.record({ content: fc.record({ $case: fc.constantFrom('text', 'imageUrl'), value: text }) });
const message = fc
  .record({ role: fc.constantFrom('user', 'system', 'assistant'), text, parts: fc.array(part, { maxLength: 2 }) })
  // The text of a message with parts is made of them.
  .map((made) => (made.parts.length === 0 ? made : { ...made, text: '' }));
const request = fc.record({
  ...{ model: text, stream: fc.boolean(), messages: fc.array(message, { maxLength: 3 }) },
  ...{ attachmentFileIds: fc.array(text, { maxLength: 2 }), parameters: text },
  ...{ upstreamAccount: text, upstreamProject: text, project: text, routeProfile: text },
}) as fc.Arbitrary<DigestedRequest>;

const hex = (of: DigestedRequest) => toRequestDigest(of).toString('hex');

describe('the digest of a request', () => {
  it('is the same for the same request, and another for any other', () => {
    fc.assert(
      fc.property(request, request, (one, other) => {
        expect(hex(structuredClone(one))).toBe(hex(one));
        expect(hex(one) === hex(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 2_000 },
    );
  });

  it('changes with everything it is made of', () => {
    fc.assert(
      fc.property(request, fc.nat(), text.filter(Boolean), (one, pick, more) => {
        const names = ['model', 'parameters', 'upstreamAccount', 'upstreamProject', 'project', 'routeProfile'] as const;
        const name = names[pick % names.length] ?? 'model';
        expect(hex({ ...one, [name]: one[name] + more })).not.toBe(hex(one));
        expect(hex({ ...one, stream: !one.stream })).not.toBe(hex(one));
        const said = { role: 'user', text: more, parts: [] };
        expect(hex({ ...one, messages: [...one.messages, said] })).not.toBe(hex(one));
        expect(hex({ ...one, messages: [said, ...one.messages, said] })).not.toBe(hex({ ...one, messages: [...one.messages, said] }));
      }),
    );
  });

  it('depends on where one text ends and the next begins', () => {
    const said = (...texts: string[]) => texts.map((value) => ({ role: 'user', text: value, parts: [] }));
    const route = { upstreamAccount: '', upstreamProject: '', project: '', routeProfile: '' };
    const of = (messages: DigestedRequest['messages']) =>
      hex({ model: 'm', stream: false, attachmentFileIds: [], parameters: '', ...route, messages });
    expect(of(said('ab', 'c'))).not.toBe(of(said('a', 'bc')));
  });

  it('is 32 bytes', () => {
    fc.assert(fc.property(request, (one) => expect(toRequestDigest(one)).toHaveLength(32)));
  });
});
