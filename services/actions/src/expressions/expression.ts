/** A runtime expression of Arazzo, of the kinds that actions support; pointers are JSON Pointers, empty for the whole value. */
export type Expression =
  | { kind: 'input'; name: string; pointer: string }
  | { kind: 'output'; stepId: string; name: string; pointer: string }
  | { kind: 'status' }
  | { kind: 'header'; name: string }
  | { kind: 'body'; pointer: string };

/** Pattern of the ids of steps and the names of inputs and outputs: a dot or a bracket would end them inside an expression. */
export const NAME_PATTERN = /^[A-Za-z0-9_-]+$/;

const POINTER = '(?:#((?:/(?:[^~/]|~[01])*)*))?';
const SHAPES: readonly [RegExp, (parts: readonly (string | undefined)[]) => Expression][] = [
  [/^\$statusCode$/, () => ({ kind: 'status' })],
  [new RegExp(`^\\$inputs\\.([A-Za-z0-9_-]+)${POINTER}$`, 's'), ([, name = '', pointer = '']) => ({ kind: 'input', name, pointer })],
  [
    new RegExp(`^\\$steps\\.([A-Za-z0-9_-]+)\\.outputs\\.([A-Za-z0-9_-]+)${POINTER}$`, 's'),
    ([, stepId = '', name = '', pointer = '']) => ({ kind: 'output', stepId, name, pointer }),
  ],
  [/^\$response\.header\.([A-Za-z0-9!#$%&'*+.^_`|~-]+)$/, ([, name = '']) => ({ kind: 'header', name: name.toLowerCase() })],
  [new RegExp(`^\\$response\\.body${POINTER}$`, 's'), ([, pointer = '']) => ({ kind: 'body', pointer })],
];

/** Parses a text that is a single expression; undefined for any other text. */
export function parseExpression(text: string): Expression | undefined {
  for (const [shape, make] of SHAPES) {
    const parts = shape.exec(text);
    if (parts) return make(parts);
  }
  return undefined;
}
