import { FunctionExpressionType, JSONPathEnvironment } from 'json-p3';
import { type JsonValue } from '../domain/json.ts';
import { compilePattern } from './pattern.ts';

/** Maximum length of a path in characters, and maximum number of `..` in it: each multiplies the number of visited values. */
const MAX_LENGTH = 1_000;
const MAX_DESCENTS = 2;
/** Maximum number of values that a path selects. */
const MAX_FOUND = 10_000;

const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs;

type Query = ReturnType<JSONPathEnvironment['compile']>;

/** JSONPath by RFC 9535, with patterns in RE2 syntax, whose matching time is linear. */
class Environment extends JSONPathEnvironment {
  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions();
    this.functionRegister.set(
      'match',
      pattern((source) => `^(?:${source})$`),
    );
    this.functionRegister.set(
      'search',
      pattern((source) => source),
    );
  }
}

const ENVIRONMENT = new Environment({ maxRecursionDepth: 200 });

/** Returns the values that a JSONPath (RFC 9535) selects, in order, at most 10,000. @throws Error for an invalid or excessive path */
export function queryJsonPath(path: string, value: JsonValue): readonly JsonValue[] {
  const found: JsonValue[] = [];
  for (const node of compileJsonPath(path).lazyQuery(value as Parameters<Query['query']>[0])) {
    if (found.length === MAX_FOUND) throw new Error(`a JSONPath finds at most ${MAX_FOUND} values`);
    found.push(node.value as JsonValue);
  }
  return found;
}

/** Whether a JSONPath selects anything. @throws Error for an invalid or excessive path */
export function matchesJsonPath(path: string, value: JsonValue): boolean {
  return compileJsonPath(path).match(value as Parameters<Query['query']>[0]) !== undefined;
}

/** Compiles a JSONPath. @throws Error for an invalid or excessive path */
export function compileJsonPath(path: string): Query {
  if (path.length > MAX_LENGTH) throw new Error(`a JSONPath has at most ${MAX_LENGTH} characters`);
  const bare = path.replaceAll(QUOTED, '');
  if (bare.split('..').length > MAX_DESCENTS + 1) throw new Error(`a JSONPath may use '..' at most ${MAX_DESCENTS} times`);
  // A filter that starts from the root again visits the whole value once for each filtered item.
  if (bare.indexOf('$', 1) !== -1) throw new Error(`a JSONPath may use '$' only at its beginning`);
  return ENVIRONMENT.compile(path);
}

function pattern(whole: (source: string) => string) {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, source: unknown): boolean => {
      if (typeof text !== 'string' || typeof source !== 'string') return false;
      try {
        return compilePattern(whole(source)).test(text);
      } catch {
        // By RFC 9535 an invalid pattern matches nothing.
        return false;
      }
    },
  };
}
