import { useTranslation } from 'react-i18next';
import { Input, Select } from '../../../ui/field.tsx';
import { isValidQuotaChoice, type QuotaChoice, UNITS } from './quota-choice.ts';

interface QuotaFieldProps {
  label: string;
  value: QuotaChoice;
  onChange: (value: QuotaChoice) => void;
}

const KINDS = ['default', 'unlimited', 'limit'] as const;

/** A quota: that of the gateway, none, or a number in a time. */
export function QuotaField({ label, value, onChange }: QuotaFieldProps) {
  const { t } = useTranslation('settings');
  const { kind, points, periods, unit } = value;
  const isBad = !isValidQuotaChoice(value);
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={label}
          value={kind}
          onChange={({ target }) => onChange({ ...value, kind: KINDS.find((one) => one === target.value) ?? 'default' })}
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {t(`quota.${one}`)}
            </option>
          ))}
        </Select>
        {kind === 'limit' && (
          <>
            <Input
              type="number"
              min={1}
              aria-label={t('quota.pointsOf', { name: label })}
              aria-invalid={isBad || undefined}
              className="w-32"
              value={points}
              onChange={({ target }) => onChange({ ...value, points: target.value })}
            />
            <span>{t('quota.per')}</span>
            <Input
              type="number"
              min={1}
              aria-label={t('quota.periodsOf', { name: label })}
              aria-invalid={isBad || undefined}
              className="w-20"
              value={periods}
              onChange={({ target }) => onChange({ ...value, periods: target.value })}
            />
            <Select
              aria-label={t('quota.unitOf', { name: label })}
              value={unit}
              onChange={({ target }) => onChange({ ...value, unit: UNITS.find((one) => one === target.value) ?? 'day' })}
            >
              {UNITS.map((one) => (
                <option key={one} value={one}>
                  {t(`quota.units.${one}`)}
                </option>
              ))}
            </Select>
          </>
        )}
      </div>
      {isBad && <p className="mt-1 text-sm text-bad">{t('quota.bad')}</p>}
    </fieldset>
  );
}
