import { type ChangeSet, type EditorSelection, type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { type Command, keymap } from '@codemirror/view';

/** Edits that follow each other within this time are taken back together. */
const GATHER_MS = 500;
const MOST = 500;

/** What leads back, or forward again. */
interface Step {
  changes: ChangeSet;
  selection: EditorSelection;
  at: number;
}

interface Steps {
  done: readonly Step[];
  undone: readonly Step[];
}

const moved = StateEffect.define<'undo' | 'redo'>();

const steps = StateField.define<Steps>({
  create: () => ({ done: [], undone: [] }),
  update({ done, undone }, transaction) {
    if (!transaction.docChanged) return { done, undone };
    const { startState, changes } = transaction;
    const at = transaction.annotation(Transaction.time) ?? Date.now();
    const back: Step = { changes: changes.invert(startState.doc), selection: startState.selection, at };
    const move = transaction.effects.find((effect) => effect.is(moved))?.value;
    if (move === 'undo') return { done: done.slice(0, -1), undone: [...undone, back] };
    // What was brought back is a step of its own.
    if (move === 'redo') return { done: [...done, { ...back, at: 0 }], undone: undone.slice(0, -1) };
    const last = done.at(-1);
    if (last && at - last.at < GATHER_MS) {
      const joined = { changes: back.changes.compose(last.changes), selection: last.selection, at };
      return { done: [...done.slice(0, -1), joined], undone: [] };
    }
    return { done: [...done, back].slice(-MOST), undone: [] };
  },
});

const go =
  (direction: 'undo' | 'redo'): Command =>
  (view) => {
    const { done, undone } = view.state.field(steps);
    const step = (direction === 'undo' ? done : undone).at(-1);
    if (step) view.dispatch({ changes: step.changes, selection: step.selection, effects: moved.of(direction), scrollIntoView: true });
    return true;
  };

/** Taking edits back, and forward again, by the usual keys. */
export const undoable: Extension = [
  steps,
  keymap.of([
    { key: 'Mod-z', run: go('undo'), preventDefault: true },
    { key: 'Mod-y', mac: 'Mod-Shift-z', run: go('redo'), preventDefault: true },
    { linux: 'Ctrl-Shift-z', run: go('redo'), preventDefault: true },
  ]),
];
