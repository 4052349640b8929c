import ts from 'typescript';

/** A place where a page asks for a text. */
export interface TextUse {
  namespace: string;
  /** The key, or its pattern with `*` for what is put in. */
  key: string;
  isPattern: boolean;
  /** The page has a text of its own for when there is none. */
  hasDefault: boolean;
  /** Names of the values it is given; undefined where the source does not show them. */
  given: readonly string[] | undefined;
}

/** Namespace by the name that its `t` has. */
type Scope = ReadonlyMap<string, string>;

/** The texts that a source asks for by `t('…')` and `<Trans i18nKey="…">`. Keys that the source does not show are left out. */
export function findTextUses(source: string, file: string, ownNamespace: string): TextUse[] {
  const uses: TextUse[] = [];
  const visit = (node: ts.Node, outer: Scope): void => {
    const scope = ts.isBlock(node) || ts.isSourceFile(node) ? scopeOf(node, outer) : outer;
    if (ts.isCallExpression(node)) uses.push(...usesOfCall(node, scope, ownNamespace));
    if (ts.isJsxOpeningLikeElement(node)) uses.push(...usesOfTrans(node, ownNamespace));
    ts.forEachChild(node, (child) => visit(child, scope));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX), new Map());
  return uses;
}

/** What `const { t } = useTranslation('…')` binds in a block. */
function scopeOf({ statements }: ts.Block | ts.SourceFile, outer: Scope): Scope {
  const declared = statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations);
  const bound = declared.flatMap(({ name, initializer }): [string, string][] => {
    if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== 'useTranslation') return [];
    if (!ts.isObjectBindingPattern(name)) return [];
    const t = name.elements.find((element) => (element.propertyName ?? element.name).getText() === 't');
    return t ? [[t.name.getText(), namespaceOf(initializer.arguments[0])]] : [];
  });
  return new Map([...outer, ...bound]);
}

function namespaceOf(argument: ts.Expression | undefined): string {
  if (argument && ts.isArrayLiteralExpression(argument)) return namespaceOf(argument.elements[0]);
  return argument && ts.isStringLiteralLike(argument) ? argument.text : 'common';
}

function usesOfCall({ expression, arguments: [first, second] }: ts.CallExpression, scope: Scope, ownNamespace: string): TextUse[] {
  if (!first) return [];
  const namespace = ts.isIdentifier(expression)
    ? (scope.get(expression.text) ?? (expression.text === 't' ? ownNamespace : undefined))
    : /^i18n(?:ext)?\.t$/.test(expression.getText())
      ? 'common'
      : undefined;
  if (namespace === undefined) return [];
  const { given, hasDefault, other } = optionsOf(second);
  return keysOf(first).map((use) => ({ ...inNamespace(use, other ?? namespace), given, hasDefault }));
}

function optionsOf(options: ts.Expression | undefined): Pick<TextUse, 'given' | 'hasDefault'> & { other?: string } {
  if (!options) return { given: [], hasDefault: false };
  if (!ts.isObjectLiteralExpression(options)) return { given: undefined, hasDefault: ts.isStringLiteralLike(options) };
  const names = options.properties.map(({ name }) => name?.getText());
  const ns = options.properties.find((property) => property.name?.getText() === 'ns');
  return {
    // What is spread in may hold anything.
    given: names.includes(undefined) ? undefined : names.filter((name) => name !== undefined),
    hasDefault: names.includes('defaultValue'),
    ...(ns && ts.isPropertyAssignment(ns) && { other: namespaceOf(ns.initializer) }),
  };
}

type Key = Pick<TextUse, 'key' | 'isPattern'>;

function keysOf(node: ts.Expression): Key[] {
  if (ts.isStringLiteralLike(node)) return [{ key: node.text, isPattern: false }];
  if (ts.isTemplateExpression(node)) {
    return [{ key: node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join(''), isPattern: true }];
  }
  if (ts.isConditionalExpression(node)) return [...keysOf(node.whenTrue), ...keysOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...keysOf(node.left), ...keysOf(node.right)];
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(keysOf);
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) ? keysOf(node.expression) : [];
}

/** `people:roles.owner` names its namespace itself. */
function inNamespace({ key, isPattern }: Key, namespace: string): Key & { namespace: string } {
  const [, named, rest] = /^([a-z]+):(.+)$/.exec(key) ?? [];
  return named !== undefined && rest !== undefined ? { namespace: named, key: rest, isPattern } : { namespace, key, isPattern };
}

function usesOfTrans({ tagName, attributes }: ts.JsxOpeningLikeElement, ownNamespace: string): TextUse[] {
  if (tagName.getText() !== 'Trans') return [];
  const valueOf = (wanted: string) => {
    const found = attributes.properties.find((property) => ts.isJsxAttribute(property) && property.name.getText() === wanted);
    const value = found && ts.isJsxAttribute(found) ? found.initializer : undefined;
    return value && ts.isJsxExpression(value) ? value.expression : value;
  };
  const [key, ns] = [valueOf('i18nKey'), valueOf('ns')];
  if (!key) return [];
  const namespace = ns && ts.isStringLiteralLike(ns) ? ns.text : ownNamespace;
  return keysOf(key).map((use) => ({ ...inNamespace(use, namespace), hasDefault: false, given: undefined }));
}
