import { type Expression, parseExpression } from '../expression.ts';
import { type Token, tokenize } from './tokens.ts';

/** A parsed condition of a `simple` criterion, as a tree. */
export type ConditionTree =
  | { kind: 'both' | 'either'; left: ConditionTree; right: ConditionTree }
  | { kind: 'not'; of: ConditionTree }
  | { kind: 'compare'; operator: ComparisonOperator; left: ConditionTree; right: ConditionTree }
  | { kind: 'literal'; value: string | number | boolean | null }
  /** An expression with the members that follow it, as in `$response.body.items[0]`. */
  | { kind: 'expression'; expression: Expression; source: string; members: readonly string[] };

/** A comparison operator. */
export type ComparisonOperator = (typeof COMPARISONS)[number];

const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>'] as const;
const WORDS = { true: true, false: false, null: null };
/** Maximum nesting depth of conditions, so that parsing never overflows the stack. */
const MAX_DEPTH = 32;

/** Parses a condition: `!` binds closest, then comparisons, then `&&`, then `||`. @throws Error that describes what is wrong */
export function parseCondition(text: string): ConditionTree {
  const reader = new Reader(tokenize(text));
  const condition = reader.either(0);
  reader.end();
  return condition;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  either(depth: number): ConditionTree {
    let left = this.#both(depth);
    while (this.#take('||')) left = { kind: 'either', left, right: this.#both(depth) };
    return left;
  }

  end(): void {
    const rest = this.#tokens[this.#at];
    if (rest) throw new Error(`'${rest.text}' is one too many`);
  }

  #both(depth: number): ConditionTree {
    let left = this.#comparison(depth);
    while (this.#take('&&')) left = { kind: 'both', left, right: this.#comparison(depth) };
    return left;
  }

  #comparison(depth: number): ConditionTree {
    const left = this.#single(depth);
    const operator = COMPARISONS.find((candidate) => this.#take(candidate));
    return operator ? { kind: 'compare', operator, left, right: this.#single(depth) } : left;
  }

  #single(depth: number): ConditionTree {
    if (depth === MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
    if (this.#take('!')) return { kind: 'not', of: this.#single(depth + 1) };
    if (!this.#take('(')) return this.#value();
    const inner = this.either(depth + 1);
    if (!this.#take(')')) throw new Error('a parenthesis is not closed');
    return inner;
  }

  #value(): ConditionTree {
    const token = this.#tokens[this.#at];
    if (!token || token.type === 'operator')
      throw new Error(token ? `a value is missing before '${token.text}'` : 'a value is missing at its end');
    this.#at += 1;
    const { type, text } = token;
    if (type === 'number') return { kind: 'literal', value: Number(text) };
    if (type === 'string') return { kind: 'literal', value: text.slice(1, -1).replaceAll("''", "'") };
    if (type === 'word') return { kind: 'literal', value: WORDS[text as keyof typeof WORDS] };
    const expression = parseExpression(text);
    if (!expression) throw new Error(`'${text}' is not a runtime expression that actions have`);
    return { kind: 'expression', expression, source: text, members: this.#members() };
  }

  #members(): readonly string[] {
    const from = this.#at;
    while (this.#tokens[this.#at]?.type === 'tail') this.#at += 1;
    return this.#tokens.slice(from, this.#at).map(({ text }) => text);
  }

  #take(operator: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.type !== 'operator' || token.text !== operator) return false;
    this.#at += 1;
    return true;
  }
}
