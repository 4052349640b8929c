import { Tabs as Radix } from 'radix-ui';
import { type ReactNode } from 'react';

interface TabsProps<Name extends string> {
  /** Of all tabs, for screen readers. */
  label: string;
  value: Name;
  onChange: (value: Name) => void;
  tabs: readonly { name: Name; label: string }[];
  /** What the chosen tab shows. */
  children: ReactNode;
}

/** On a phone the chosen tab may be beyond the edge. */
function showTab(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Some views of one thing; the chosen one belongs into the address. */
export function Tabs<Name extends string>({ label, value, onChange, tabs, children }: TabsProps<Name>) {
  return (
    <Radix.Root value={value} onValueChange={(name) => onChange(name as Name)} className="flex flex-col gap-4">
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.name}
            value={tab.name}
            ref={tab.name === value ? showTab : undefined}
            className="-mb-px border-b-2 -outline-offset-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} className="flex flex-col gap-4">
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
