import { CopyButton } from './copy-button.tsx';

/** A piece of code to copy; code runs from left to right whatever the language around it. */
export function Snippet({ code, label }: { code: string; label: string }) {
  return (
    <div dir="ltr" className="relative rounded-lg border bg-canvas">
      {/* A region that scrolls is reached by keyboard. */}
      <pre tabIndex={0} aria-label={label} className="overflow-x-auto p-3 pe-11 text-[0.8125rem] leading-relaxed">
        <code>{code}</code>
      </pre>
      <div className="absolute top-1.5 end-1.5">
        <CopyButton text={code} what={label} />
      </div>
    </div>
  );
}
