import { lazy, Suspense } from 'react';

const Rendered = lazy(() => import('./markdown-rendered.tsx'));

/** Markdown of an answer, as elements: HTML in it is text, links leave in a new tab, images of other sites are links. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
      <Rendered text={text} />
    </Suspense>
  );
}
