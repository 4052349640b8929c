import { Ellipsis } from 'lucide-react';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';

/** The commands of a row. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={
        <Button look="ghost" size="icon" aria-label={t('moreFor', { name })}>
          <Ellipsis className="size-4" aria-hidden />
        </Button>
      }
    >
      {children}
    </Menu>
  );
}
