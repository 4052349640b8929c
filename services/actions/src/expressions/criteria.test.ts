import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonValue } from '../domain/json.ts';
import { type Criterion } from '../domain/workflow.ts';
import { isCriterionMet } from './criteria.ts';
import { type EvaluationContext } from './evaluation-context.ts';

const CONTEXT: EvaluationContext = {
  inputs: { city: 'Oslo', count: 3, flag: true, quote: "it's", list: [{ name: 'a' }, { name: 'b' }] },
  steps: { first: { id: 7, tags: ['x', 'y'] } },
  response: {
    statusCode: 201,
    headers: { 'x-left': '4' },
    body: { status: 'OPEN', items: [{ n: 1 }, { n: 20 }], 'a/b': { 'c~d': 1 }, none: null },
  },
};

const simple = (condition: string): boolean => isCriterionMet({ type: 'simple', condition, context: undefined }, CONTEXT);
const within = (type: Criterion['type'], condition: string, context: string): boolean =>
  isCriterionMet({ type, condition, context }, CONTEXT);

/** A condition, and whether it is true. */
interface Said {
  says: string;
  is: boolean;
}

const COMPARISONS = [
  ['==', (a: number, b: number) => a === b],
  ['!=', (a: number, b: number) => a !== b],
  ['<', (a: number, b: number) => a < b],
  ['<=', (a: number, b: number) => a <= b],
  ['>', (a: number, b: number) => a > b],
  ['>=', (a: number, b: number) => a >= b],
] as const;

function compared([a, [operator, isSo], b]: readonly [number, (typeof COMPARISONS)[number], number]): Said {
  return { says: `${a} ${operator} ${b}`, is: isSo(a, b) };
}

describe('simple criteria', () => {
  it.each([
    ['$statusCode == 201', true],
    ['$statusCode != 201', false],
    ['$statusCode >= 200 && $statusCode < 300', true],
    ['$statusCode<200||$statusCode>300', false],
    ["$response.body#/status == 'open'", true],
    ["$response.body.status == 'closed'", false],
    ['$response.body.items[1].n > 19', true],
    ['$response.body#/items/0/n == 1', true],
    ['$response.body#/a~1b/c~0d == 1', true],
    ["$response.header.X-Left == '4'", true],
    ['$response.header.X-Left == 4', false],
    ["$inputs.quote == 'it''s'", true],
    ['$inputs.flag', true],
    ['$inputs.count', false],
    ['!$inputs.flag || $steps.first.outputs.id == 7', true],
    ['!($inputs.flag && $inputs.count == 3)', false],
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['$response.body#/missing == null', true],
    ['$response.body#/none == null', true],
    ["$response.body#/missing != 'a'", true],
    ['$response.body#/missing > 1', false],
    ['$response.body#/items == $response.body#/items', false],
    ["$steps.first.outputs.tags[1] == 'Y'", true],
    ['$inputs.list#/1/name == "b"', false],
    ['-1.5e1 < -14', true],
  ])('%s is %s', (condition, is) => expect(simple(condition)).toBe(is));

  it.each([
    '',
    '== 1',
    '1 ==',
    '(true',
    'true)',
    'true true',
    '1 < 2 < 3',
    'process.exit(1)',
    '$inputs',
    '$request.body == 1',
    "'open",
    '!'.repeat(40) + 'true',
  ])('%s is not understood, and so not true', (condition) => expect(simple(condition)).toBe(false));

  it('is what its parts make of it, however they are put together', () => {
    const { tree } = fc.letrec<{ tree: Said }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.boolean().map((is) => ({ says: String(is), is })),
        fc.tuple(fc.integer({ min: -3, max: 3 }), fc.constantFrom(...COMPARISONS), fc.integer({ min: -3, max: 3 })).map(compared),
        tie('tree').map(({ says, is }) => ({ says: `!(${says})`, is: !is })),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => ({ says: `(${a.says})&&(${b.says})`, is: a.is && b.is })),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => ({ says: `( ${a.says} ) || ( ${b.says} )`, is: a.is || b.is })),
      ),
    }));
    fc.assert(fc.property(tree, ({ says, is }) => expect(simple(says)).toBe(is)));
  });

  it('never throws, whatever the condition', () => {
    const words = fc.constantFrom(
      '$statusCode',
      '$response.body',
      '#/',
      '(',
      ')',
      '!',
      '&&',
      '==',
      "'",
      '1',
      ' ',
      '[0]',
      '.x',
      '$',
      'null',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((parts) => parts.join('')),
        ),
        (condition) => typeof simple(condition) === 'boolean',
      ),
    );
  });
});

describe('regex criteria', () => {
  it.each([
    ['^20[0-9]$', '$statusCode', true],
    ['^op', '$response.body#/status', false],
    ['(?i)^op', '$response.body#/status', true],
    ['Os', '$inputs.city', true],
    ['.', '$response.body#/missing', false],
    ['(a)\\1', '$inputs.city', false],
    ['(', '$inputs.city', false],
  ])('%s on %s is %s', (condition, context, is) => expect(within('regex', condition, context)).toBe(is));

  it('is not made slow by a text', () => {
    const response = { statusCode: 200, headers: {}, body: `${'a'.repeat(50_000)}!` };
    expect(isCriterionMet({ type: 'regex', condition: '^(a+)+$', context: '$response.body' }, { ...CONTEXT, response })).toBe(false);
  });
});

describe('jsonpath criteria', () => {
  it.each([
    ['$.items[?@.n > 10]', '$response.body', true],
    ['$.items[?@.n > 100]', '$response.body', false],
    ['$[?count(@.*) == 1]', '$response.body#/items', true],
    ["$.items[?match(@.n, '.*')]", '$response.body', false],
    ["$[?search(@.name, '^b$')]", '$inputs.list', true],
    ['$.missing', '$response.body', false],
    ['$..*..*..*', '$response.body', false],
    ['$.items[?$.items]', '$response.body', false],
    ['not a path', '$response.body', false],
    ['$', '$steps.second.outputs.x', false],
  ])('%s on %s is %s', (condition, context, is) => expect(within('jsonpath', condition, context)).toBe(is));

  it('is not made slow by a text', () => {
    const response = { statusCode: 200, headers: {}, body: [`${'a'.repeat(50_000)}!`] };
    expect(
      isCriterionMet({ type: 'jsonpath', condition: "$[?match(@, '(a+)+')]", context: '$response.body' }, { ...CONTEXT, response }),
    ).toBe(false);
  });

  it('never throws, whatever the answer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const response = { statusCode: 200, headers: {}, body: body as JsonValue };
        return (
          typeof isCriterionMet({ type: 'jsonpath', condition: '$..[?@.a == 1]', context: '$response.body' }, { ...CONTEXT, response }) ===
          'boolean'
        );
      }),
    );
  });
});
