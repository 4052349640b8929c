import { useState } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Tabs } from './tabs.tsx';

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

/** The same in several languages. */
export function Snippets({ label, snippets }: { label: string; snippets: readonly { name: string; label: string; code: string }[] }) {
  const [name, setName] = useState(snippets[0]?.name ?? '');
  const shown = snippets.find((snippet) => snippet.name === name);
  return (
    <Tabs label={label} value={name} onChange={setName} tabs={snippets}>
      {shown && <Snippet code={shown.code} label={shown.label} />}
    </Tabs>
  );
}
