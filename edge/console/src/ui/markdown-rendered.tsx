import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Snippet } from './snippet.tsx';

const OWN = /^\/me\/v1\/assets\//;

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline">
      {children}
    </a>
  ),
  // No page of ours asks another site for anything: an image of elsewhere is a link to it.
  img: ({ src, alt }) =>
    typeof src === 'string' && OWN.test(src) ? (
      <img src={src} alt={alt ?? ''} className="max-h-96 rounded-lg" />
    ) : (
      <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noreferrer noopener" className="text-accent underline">
        {alt || src}
      </a>
    ),
  pre: ({ children, node }) => {
    const code = node?.children[0];
    const text = code?.type === 'element' && code.children[0]?.type === 'text' ? code.children[0].value : '';
    return text ? <Snippet code={text.replace(/\n$/, '')} label="code" /> : <pre>{children}</pre>;
  },
};

/** Loaded with the first answer that is shown. */
export default memo(function MarkdownRendered({ text }: { text: string }) {
  return (
    <div className="prose-parley flex flex-col gap-3 break-words">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
});
