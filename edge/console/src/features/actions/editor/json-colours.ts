import { jsonLanguage } from '@codemirror/lang-json';
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const MARKS: Readonly<Record<string, Decoration>> = {
  PropertyName: Decoration.mark({ class: 'cm-json-name' }),
  String: Decoration.mark({ class: 'cm-json-text' }),
  Number: Decoration.mark({ class: 'cm-json-value' }),
  True: Decoration.mark({ class: 'cm-json-value' }),
  False: Decoration.mark({ class: 'cm-json-value' }),
  Null: Decoration.mark({ class: 'cm-json-value' }),
};

/** Colours of JSON in what is in sight, by the theme of the console. */
export const jsonColours: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = marksIn(view);
    }

    update({ docChanged, viewportChanged, view }: ViewUpdate) {
      if (docChanged || viewportChanged) this.decorations = marksIn(view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function marksIn(view: EditorView): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  const tree = jsonLanguage.parser.parse(view.state.doc.toString());
  for (const { from, to } of view.visibleRanges) {
    tree.iterate({
      from,
      to,
      enter: (node) => {
        const mark = MARKS[node.name];
        if (mark) marks.add(node.from, node.to, mark);
      },
    });
  }
  return marks.finish();
}
