import { useState } from 'react';
import { Snippet } from './snippet.tsx';
import { Tabs } from './tabs.tsx';

/** A piece of code to copy, in several languages. */
export function Snippets({ label, snippets }: { label: string; snippets: readonly { name: string; label: string; code: string }[] }) {
  const [name, setName] = useState(snippets[0]?.name ?? '');
  const shown = snippets.find((snippet) => snippet.name === name);
  return (
    <Tabs label={label} value={name} onChange={setName} tabs={snippets}>
      {shown && <Snippet code={shown.code} label={shown.label} />}
    </Tabs>
  );
}
