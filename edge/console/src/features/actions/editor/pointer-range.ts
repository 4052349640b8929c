import { jsonLanguage } from '@codemirror/lang-json';

type Node = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  from: number;
  to: number;
}

/** Finds what a JSON Pointer (RFC 6901) names in a text: a key, or an item of a list; for a missing one, the nearest value around it. */
export function findPointerRange(text: string, pointer: string): TextRange {
  const tokens = pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const root = jsonLanguage.parser.parse(text).topNode.firstChild;
  if (!root) return { from: 0, to: text.length };
  let value: Node = root;
  let range: TextRange = { from: root.from, to: Math.min(root.to, root.from + 1) };
  for (const token of tokens) {
    const next = value.name === 'Object' ? propertyOf(value, token, text) : value.name === 'Array' ? itemOf(value, token) : undefined;
    if (!next) break;
    value = next.value;
    range = { from: next.marked.from, to: next.marked.to };
  }
  return range;
}

function propertyOf(object: Node, name: string, text: string): { value: Node; marked: TextRange } | undefined {
  for (const property of object.getChildren('Property')) {
    const key = property.getChild('PropertyName');
    const value = property.lastChild;
    if (key && value && text.slice(key.from + 1, key.to - 1) === JSON.stringify(name).slice(1, -1)) return { value, marked: key };
  }
  return undefined;
}

function itemOf(array: Node, token: string): { value: Node; marked: TextRange } | undefined {
  let index = 0;
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (['[', ']', ',', '⚠'].includes(child.name)) continue;
    if (index++ === Number(token)) return { value: child, marked: { from: child.from, to: Math.min(child.to, child.from + 1) } };
  }
  return undefined;
}
