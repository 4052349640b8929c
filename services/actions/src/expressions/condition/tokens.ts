/** A token of a simple condition. */
export interface Token {
  type: 'operator' | 'string' | 'number' | 'word' | 'expression' | 'tail';
  text: string;
}

/** Maximum length of a condition in characters. */
const MAX_LENGTH = 2_000;

/** Patterns of tokens, in the order in which they are tried; a tail (`.name`, `[0]`) occurs only right after an expression. */
const SHAPES: readonly [Token['type'], RegExp][] = [
  ['operator', /&&|\|\||==|!=|<=|>=|[<>!()]/y],
  ['string', /'(?:[^']|'')*'/y],
  ['number', /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y],
  ['word', /(?:true|false|null)(?![\w$.-])/y],
  [
    'expression',
    /\$(?:statusCode|inputs\.[\w-]+|steps\.[\w-]+\.outputs\.[\w-]+|response\.header\.[\w-]+|response\.body)(?:#(?:\/[^\s()!<>=&|'"[\]]*)?)?/y,
  ],
];
const TAIL = /\.([A-Za-z0-9_-]+)|\[(\d+)\]/y;
const SPACE = /\s*/y;

/** Splits a condition into tokens. @throws Error for an invalid token */
export function tokenize(condition: string): readonly Token[] {
  if (condition.length > MAX_LENGTH) throw new Error(`a condition has at most ${MAX_LENGTH} characters`);
  const tokens: Token[] = [];
  let at = skip(condition, 0);
  while (at < condition.length) {
    const token = SHAPES.reduce<Token | undefined>((found, [type, shape]) => found ?? wordAt(condition, at, type, shape), undefined);
    if (!token) throw new Error(`'${condition.slice(at, at + 20)}' is not understood`);
    tokens.push(token);
    at += token.text.length;
    if (token.type === 'expression') at = pushTails(condition, at, tokens);
    at = skip(condition, at);
  }
  return tokens;
}

function pushTails(condition: string, from: number, tokens: Token[]): number {
  let at = from;
  for (let found = tailAt(condition, at); found; found = tailAt(condition, at)) {
    tokens.push({ type: 'tail', text: found[1] ?? found[2] ?? '' });
    at += found[0].length;
  }
  return at;
}

function tailAt(condition: string, at: number): RegExpExecArray | null {
  TAIL.lastIndex = at;
  return TAIL.exec(condition);
}

function wordAt(condition: string, at: number, type: Token['type'], shape: RegExp): Token | undefined {
  shape.lastIndex = at;
  const text = shape.exec(condition)?.[0];
  return text === undefined ? undefined : { type, text };
}

function skip(condition: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(condition)?.[0].length ?? 0);
}
