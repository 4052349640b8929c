import { useTranslation } from 'react-i18next';
import { Input } from '../../../ui/field.tsx';

interface SearchBoxProps {
  value: string;
  onChange: (text: string) => void;
}

/** Finds people by name or email. */
export function SearchBox({ value, onChange }: SearchBoxProps) {
  const { t } = useTranslation('people');
  return (
    <Input
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      className="w-64 max-w-full"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
