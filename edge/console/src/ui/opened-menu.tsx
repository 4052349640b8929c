import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { type MenuParts, MenuPartsContext } from './menu-parts.ts';

interface OpenedMenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align: 'start' | 'end';
  /** Its first opening was a press of a key. */
  isByKeys: boolean;
}

const PARTS: MenuParts = { Item: Radix.Item, Label: Radix.Label, Separator: Radix.Separator };

/** A menu from its first opening on. */
export default function OpenedMenu({ trigger, children, align, isByKeys }: OpenedMenuProps) {
  // That press came before there was a menu that could follow it; it follows every later one by itself.
  const isFirstByKeys = useRef(isByKeys);
  const focusFirst = (content: HTMLElement | null) => {
    if (!content || !isFirstByKeys.current) return;
    isFirstByKeys.current = false;
    content.querySelector<HTMLElement>('[role="menuitem"]:not([data-disabled])')?.focus({ preventScroll: true });
  };
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={focusFirst}
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
