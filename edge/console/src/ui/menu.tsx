import { DropdownMenu as Radix } from 'radix-ui';
import { type ReactNode } from 'react';
import { classes } from './classes.ts';

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}

/** A list of deeds that a button opens. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          className="z-50 max-h-[70dvh] min-w-48 overflow-y-auto rounded-lg border bg-raised p-1 shadow-lg"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  onSelect: () => void;
  isDangerous?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

/** One deed of a menu. */
export function MenuItem({ onSelect, isDangerous = false, isDisabled = false, children }: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={isDisabled}
      className={classes(
        'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-accent-soft',
        isDangerous && 'text-bad',
      )}
    >
      {children}
    </Radix.Item>
  );
}

/** A heading in a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 py-1.5 text-xs font-medium text-muted">{children}</Radix.Label>;
}

/** A line between groups of deeds. */
export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
