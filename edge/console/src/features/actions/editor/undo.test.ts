import { EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { describe, expect, it } from '@jest/globals';
import { undoable } from './undo.ts';

/** A text with its editor's keys, without a page. */
function textWith(doc: string) {
  let state = EditorState.create({ doc, extensions: undoable });
  let time = 0;
  const dispatch = (spec: TransactionSpec) => {
    state = state.update({ ...spec, annotations: Transaction.time.of(time) }).state;
  };
  return {
    text: () => state.doc.toString(),
    insert: (at: number, insert: string, after = 1000) => {
      time += after;
      dispatch({ changes: { from: at, insert } });
    },
    press: (key: string) => {
      time += 1000;
      const binding = state
        .facet(keymap)
        .flat()
        .find((one) => one.key === key);
      // The commands read the state and dispatch; they need no page.
      binding?.run?.({ state, dispatch } as never);
    },
  };
}

describe('undo', () => {
  it('takes edits back one by one, those in one go together, and forward again', () => {
    const it = textWith('a');
    it.insert(1, 'b');
    it.insert(2, 'c');
    it.insert(3, 'd', 10);
    it.press('Mod-z');
    expect(it.text()).toBe('ab');
    it.press('Mod-z');
    it.press('Mod-z');
    expect(it.text()).toBe('a');
    it.press('Mod-y');
    it.press('Mod-y');
    it.press('Mod-y');
    expect(it.text()).toBe('abcd');
  });

  it('forgets what was taken back when something new is written', () => {
    const it = textWith('');
    it.insert(0, 'a');
    it.press('Mod-z');
    it.insert(0, 'b');
    it.press('Mod-y');
    expect(it.text()).toBe('b');
  });
});
