import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonValue } from '../domain/json.ts';
import { type EvaluationContext } from './evaluation-context.ts';
import { escapeToken, resolvePointer } from './json-pointer.ts';
import { resolveExpressions, resolveNamedExpressions } from './resolve-expressions.ts';

const CONTEXT: EvaluationContext = {
  inputs: { city: 'Oslo', nested: { list: [1, { deep: true }] }, trick: '$steps.first.outputs.secret {$inputs.city}' },
  steps: { first: { id: 7, secret: 's' } },
  response: { statusCode: 200, headers: { 'x-request-id': 'r1' }, body: { a: [1, 2], text: 'hi' } },
};

describe('resolveExpressions', () => {
  it.each<[JsonValue, JsonValue | undefined]>([
    ['$inputs.city', 'Oslo'],
    ['$inputs.nested', { list: [1, { deep: true }] }],
    ['$inputs.nested#/list/1/deep', true],
    ['$steps.first.outputs.id', 7],
    ['$statusCode', 200],
    ['$response.header.X-Request-Id', 'r1'],
    ['$response.body#/a/1', 2],
    ['$response.body', { a: [1, 2], text: 'hi' }],
    ['in {$inputs.city}: {$steps.first.outputs.id}, {$response.body#/a}', 'in Oslo: 7, [1,2]'],
    ['{$inputs.city}', 'Oslo'],
    ['{$inputs.missing}!', '!'],
    ['$inputs.missing', undefined],
    ['$inputs.nested#/list/5', undefined],
    ['$inputs.toString', undefined],
    ['$5 and {$5} and {city}', '$5 and {$5} and {city}'],
    [
      ['$inputs.missing', '$inputs.city'],
      [null, 'Oslo'],
    ],
    [
      { here: '$inputs.city', gone: '$inputs.missing', n: 1, no: null },
      { here: 'Oslo', n: 1, no: null },
    ],
    ['$inputs.trick', '$steps.first.outputs.secret {$inputs.city}'],
    ['so: {$inputs.trick}', 'so: $steps.first.outputs.secret {$inputs.city}'],
  ])('%j becomes %j', (value, filled) => expect(resolveExpressions(value, CONTEXT)).toEqual(filled));

  it('finds nothing of an answer before there is one', () => {
    expect(
      resolveNamedExpressions({ a: '$statusCode', b: '$response.body', c: '$inputs.city' }, { ...CONTEXT, response: undefined }),
    ).toEqual({
      c: 'Oslo',
    });
  });

  it('keeps a member that is called like the prototype as a member', () => {
    const filled = resolveExpressions(JSON.parse('{"__proto__":{"x":"$inputs.city"}}') as JsonValue, CONTEXT);
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"x":"Oslo"}}');
    expect((filled as { x?: unknown }).x).toBeUndefined();
  });

  it('gives every input as it is, and never reads it as an expression', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const context = { ...CONTEXT, inputs: { value: value as JsonValue, text } };
        expect(resolveExpressions('$inputs.value', context)).toEqual(value);
        expect(resolveExpressions({ deep: ['a {$inputs.text} b'] }, context)).toEqual({ deep: [`a ${text} b`] });
      }),
    );
  });

  it('changes nothing in a value without expressions', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes('$'));
        expect(resolveExpressions(value as JsonValue, CONTEXT)).toEqual(value);
      }),
    );
  });

  it('never throws', () => {
    const words = fc.constantFrom('$inputs', '.city', '{', '}', '$', '#', '/', '~', 'steps.', '$response.body', '$statusCode', ' ');
    fc.assert(
      fc.property(
        fc.array(words).map((parts) => parts.join('')),
        (text) => void resolveExpressions(text, CONTEXT),
      ),
    );
  });
});

describe('follow', () => {
  it('finds every member under its own pointer, whatever its name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (outer, inner, value) => {
        const whole = Object.fromEntries([[outer, [Object.fromEntries([[inner, value as JsonValue]])]]]);
        expect(resolvePointer(whole, `/${escapeToken(outer)}/0/${escapeToken(inner)}`)).toEqual(value);
      }),
    );
  });

  it.each(['x', '/a/01', '/a/-', '/length', '/a/length', '/constructor'])('%s finds nothing', (pointer) =>
    expect(resolvePointer({ a: [1, 2] }, pointer)).toBeUndefined(),
  );
});
