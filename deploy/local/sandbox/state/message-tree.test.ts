import { describe, expect, it } from '@jest/globals';
import { MessageTree, nodesToThread, type TreeNode } from './message-tree.ts';

function node(id: string, parentId: string | null): TreeNode {
  return { id, parentId, role: 'user', content: `text of ${id}`, images: 0, files: [], at: 0, tokens: 1 };
}

function treeOf(...nodes: [string, string | null][]): MessageTree {
  const tree = new MessageTree();
  for (const [id, parent] of nodes) tree.append(node(id, parent));
  return tree;
}

describe('MessageTree', () => {
  it('follows a branch from the root', () => {
    const tree = treeOf(['a', null], ['b', 'a'], ['c', 'b'], ['d', 'a']);
    expect(tree.pathTo('c').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(tree.pathTo('d').map(({ id }) => id)).toEqual(['a', 'd']);
    expect(tree.pathTo(null)).toEqual([]);
    expect(tree.current).toBe('d');
  });

  it('has one root, and no strange parents', () => {
    const tree = treeOf(['a', null]);
    expect(tree.canAppendTo(null)).toBe(false);
    expect(() => tree.append(node('b', null))).toThrow('no parent');
    expect(() => tree.append(node('b', 'z'))).toThrow('no parent z');
    expect(() => tree.append(node('a', 'a'))).toThrow('exists');
    expect(tree.size).toBe(1);
  });

  it('reads a reply that is being produced as far as it is', () => {
    const tree = treeOf(['a', null]);
    tree.append({ ...node('b', 'a'), content: '', liveGeneration: { text: 'so far' } });
    expect(nodesToThread(tree.pathTo('b')).map(({ content }) => content)).toEqual(['text of a', 'so far']);
  });
});
