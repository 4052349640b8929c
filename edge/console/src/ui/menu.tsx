import { clsx } from 'clsx';
import { cloneElement, type ComponentProps, lazy, type ReactElement, type ReactNode, Suspense, use, useState } from 'react';
import { MenuPartsContext } from './menu-parts.ts';

const load = () => import('./opened-menu.tsx');
const OpenedMenu = lazy(load);

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<ComponentProps<'button'>>;
  children: ReactNode;
  align?: 'start' | 'end';
}

/** A list of commands that a button opens. Its code is loaded when the pointer or the focus reaches the first one. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<'keys' | 'pointer'>();
  const prepare = () => void load();
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: prepare,
    onFocus: prepare,
    // A press of a key is a click without a place.
    onClick: ({ detail }) => setOpenedBy(detail === 0 ? 'keys' : 'pointer'),
    onKeyDown: ({ key }) => {
      if (key === 'ArrowDown') setOpenedBy('keys');
    },
  });
  if (openedBy === undefined) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedMenu trigger={trigger} align={align} isByKeys={openedBy === 'keys'}>
        {children}
      </OpenedMenu>
    </Suspense>
  );
}

interface MenuItemProps {
  onSelect: () => void;
  isDangerous?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}

/** One command of a menu. */
export function MenuItem({ onSelect, isDangerous = false, isDisabled = false, children }: MenuItemProps) {
  const parts = use(MenuPartsContext);
  return (
    parts && (
      <parts.Item
        onSelect={onSelect}
        disabled={isDisabled}
        className={clsx(
          'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-accent-soft',
          isDangerous && 'text-bad',
        )}
      >
        {children}
      </parts.Item>
    )
  );
}

/** A heading in a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  const parts = use(MenuPartsContext);
  return parts && <parts.Label className="px-2.5 py-1.5 text-xs font-medium text-muted">{children}</parts.Label>;
}

/** A line between groups of commands. */
export function MenuSeparator() {
  const parts = use(MenuPartsContext);
  return parts && <parts.Separator className="my-1 h-px bg-line" />;
}
