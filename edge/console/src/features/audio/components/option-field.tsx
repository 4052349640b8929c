import { type UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { type ProviderOption } from './provider-options.ts';

/** A field for one option of a provider. What the console has no words for is called as the provider calls it. */
export function OptionField({ option, inputProps }: { option: ProviderOption; inputProps: UseFormRegisterReturn }) {
  const { t } = useTranslation('audio');
  const { name, description, kind } = option;
  const label = t(`options.${name}`, { defaultValue: name });
  const hint = t(`options.hints.${name}`, { defaultValue: description ?? '' }) || undefined;
  if (kind === 'number') {
    const { min, max, isWhole } = option;
    return <TextField type="number" label={label} hint={hint} min={min} max={max} step={isWhole ? 1 : 'any'} {...inputProps} />;
  }
  if (kind === 'text') return <TextField label={label} hint={hint} {...inputProps} />;
  return (
    <SelectField label={label} hint={hint} {...inputProps}>
      <option value="">{t('options.usual')}</option>
      {kind === 'choice' ? (
        option.values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))
      ) : (
        <>
          <option value="true">{t('options.yes')}</option>
          <option value="false">{t('options.no')}</option>
        </>
      )}
    </SelectField>
  );
}
