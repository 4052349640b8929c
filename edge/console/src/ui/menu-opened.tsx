import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode } from 'react';
import { type MenuParts, MenuPartsContext } from './menu-parts.ts';

interface OpenedMenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align: 'start' | 'end';
}

const PARTS: MenuParts = { Item: Radix.Item, Label: Radix.Label, Separator: Radix.Separator };

/** A menu from its first opening on. */
export default function OpenedMenu({ trigger, children, align }: OpenedMenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          className="z-50 max-h-[70dvh] min-w-48 overflow-y-auto rounded-lg border bg-raised p-1 shadow-lg"
        >
          <MenuPartsContext value={PARTS}>{children}</MenuPartsContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
