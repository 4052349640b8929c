import { Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';

interface RowCommandsProps {
  /** Of what the row is about. */
  name: string;
  onEdit: () => void;
  onDelete: () => void;
}

/** Change and delete, for one row. */
export function RowCommands({ name, onEdit, onDelete }: RowCommandsProps) {
  const { t } = useTranslation('settings');
  return (
    <span className="flex gap-1">
      <Button look="ghost" size="icon" aria-label={t('editOne', { name })} title={t('editOne', { name })} onClick={onEdit}>
        <Pencil className="size-4" aria-hidden />
      </Button>
      <Button look="ghost" size="icon" aria-label={t('deleteOne', { name })} title={t('deleteOne', { name })} onClick={onDelete}>
        <Trash2 className="size-4 text-bad" aria-hidden />
      </Button>
    </span>
  );
}
