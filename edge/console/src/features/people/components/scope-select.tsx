import { useTranslation } from 'react-i18next';
import { Select } from '../../../ui/field.tsx';
import { type PeopleScope } from '../queries/people.ts';

interface ScopeSelectProps {
  scope: PeopleScope;
  onChange: (scope: PeopleScope) => void;
}

/** Whether a list is that of the workspace or of the whole gateway; for who may see both. */
export function ScopeSelect({ scope, onChange }: ScopeSelectProps) {
  const { t } = useTranslation('people');
  return (
    <Select aria-label={t('scope.label')} value={scope} onChange={({ target }) => onChange(target.value as PeopleScope)}>
      <option value="workspace">{t('scope.workspace')}</option>
      <option value="gateway">{t('scope.gateway')}</option>
    </Select>
  );
}
