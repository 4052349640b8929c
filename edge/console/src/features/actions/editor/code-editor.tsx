import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { type Finding } from '../queries/documents.ts';
import { jsonColours } from './json-colours.ts';
import { findPointerRange } from './pointer-range.ts';
import { undoable } from './undo.ts';

/** What the page can ask of the editor. */
export interface EditorHandle {
  /** Moves the cursor to what a JSON Pointer names. */
  reveal: (pointer: string) => void;
}

interface CodeEditorProps {
  ref: Ref<EditorHandle>;
  label: string;
  describedBy: string;
  text: string;
  /** Shortly after the last key, and when the editor loses the focus. */
  onChange: (text: string) => void;
  findings: readonly Finding[];
}

const QUIET_MS = 300;

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '0.8125rem', maxHeight: '60dvh', minHeight: '18rem' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'ui-monospace, monospace', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--canvas)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 35%, transparent)' },
  '.cm-line .cm-json-name': { color: 'var(--accent)' },
  '.cm-line .cm-json-text': { color: 'var(--good)' },
  '.cm-line .cm-json-value': { color: 'var(--warn)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
});

/** An editor for JSON with marks where something is wrong. Tab leaves it, as any other field. */
export default function CodeEditor({ ref, label, describedBy, text, onChange, findings }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const reported = useRef(text);
  const tell = useEffectEvent((now: string) => {
    if (now === reported.current) return;
    reported.current = now;
    onChange(now);
  });
  const begin = useEffectEvent((parent: HTMLElement) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (view: EditorView) => {
      clearTimeout(timer);
      tell(view.state.doc.toString());
    };
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
    return new EditorView({
      parent,
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy, spellcheck: 'false', tabindex: '0' }),
        ...[lineNumbers(), lintGutter(), highlightActiveLine(), EditorView.lineWrapping],
        ...[json(), jsonColours, closeBrackets(), keymap.of(closeBracketsKeymap), undoable, theme],
        EditorView.updateListener.of(({ docChanged, view }) => {
          if (!docChanged) return;
          clearTimeout(timer);
          timer = setTimeout(() => flush(view), QUIET_MS);
        }),
        EditorView.domEventHandlers({ blur: (_, view) => flush(view) }),
      ],
    });
  });
  useEffect(() => {
    if (!place.current) return undefined;
    const view = begin(place.current);
    editor.current = view;
    return () => view.destroy();
  }, []);
  useEffect(() => {
    const view = editor.current;
    // A text that came from elsewhere, such as a file.
    if (!view || text === reported.current) return;
    reported.current = text;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const view = editor.current;
    if (view) view.dispatch(setDiagnostics(view.state, marksOf(view, findings)));
  }, [findings]);
  useImperativeHandle(ref, () => ({
    reveal: (pointer) => {
      const view = editor.current;
      if (!view) return;
      const { from, to } = findPointerRange(view.state.doc.toString(), pointer);
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    },
  }));
  return <div ref={place} className="overflow-hidden rounded-lg border" />;
}

function marksOf(view: EditorView, findings: readonly Finding[]): Diagnostic[] {
  const broken = jsonParseLinter()(view);
  if (broken.length > 0) return broken;
  const text = view.state.doc.toString();
  return findings
    .map(({ path, message }): Diagnostic => ({ ...findPointerRange(text, path), severity: 'error', message }))
    .sort((a, b) => a.from - b.from);
}
