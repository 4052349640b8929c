import { type ComponentType, createContext, type ReactNode } from 'react';

/** Components of the items of an opened menu. */
export interface MenuParts {
  Item: ComponentType<{ onSelect: () => void; disabled: boolean; className: string; children: ReactNode }>;
  Label: ComponentType<{ className: string; children: ReactNode }>;
  Separator: ComponentType<{ className: string }>;
}

/** Given by a menu to its items: they are loaded with the first menu that is opened. */
export const MenuPartsContext = createContext<MenuParts | undefined>(undefined);
