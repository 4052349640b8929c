import { CopyButton } from './copy-button.tsx';

/** A piece of code to copy, which never runs under its button; code runs from left to right whatever the language around it. */
export function Snippet({ code, label }: { code: string; label: string }) {
  return (
    <div dir="ltr" className="flex items-start rounded-lg border bg-canvas">
      {/* A region that scrolls is reached by keyboard. */}
      <pre tabIndex={0} aria-label={label} className="max-h-96 min-w-0 flex-1 overflow-auto p-3 text-[0.8125rem] leading-relaxed">
        <code>{code}</code>
      </pre>
      <div className="p-1.5">
        <CopyButton text={code} what={label} />
      </div>
    </div>
  );
}
