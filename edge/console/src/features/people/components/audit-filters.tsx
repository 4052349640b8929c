import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';

/** Filters of the log that stand in the address. */
export interface AuditFields {
  action?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  request?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const NAMES = ['action', 'actor', 'target', 'request', 'since', 'until'] as const;
const isDay = (name: (typeof NAMES)[number]) => name === 'since' || name === 'until';

interface AuditFiltersProps {
  fields: AuditFields;
  onFilter: (fields: AuditFields) => void;
}

/** Asks for filters; they hold when the form is sent. */
export function AuditFilters({ fields, onFilter }: AuditFiltersProps) {
  const { t } = useTranslation('people');
  const [texts, setTexts] = useState(fields);
  const none = Object.fromEntries(NAMES.map((name) => [name, undefined]));
  const isFiltered = NAMES.some((name) => fields[name] !== undefined);
  return (
    <form
      role="search"
      aria-label={t('audit.filters')}
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onFilter(Object.fromEntries(NAMES.map((name) => [name, texts[name]?.trim() || undefined])));
      }}
    >
      {NAMES.map((name) => (
        <div key={name} className="w-36">
          <TextField
            type={isDay(name) ? 'date' : 'text'}
            label={t(`audit.filter.${name}`)}
            placeholder={name === 'action' ? 'key.create' : undefined}
            value={texts[name] ?? ''}
            onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          />
        </div>
      ))}
      <Button type="submit">{t('audit.apply')}</Button>
      {isFiltered && (
        <Button look="ghost" onClick={() => onFilter(none)}>
          {t('audit.clear')}
        </Button>
      )}
    </form>
  );
}
