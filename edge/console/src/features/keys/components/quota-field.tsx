import { type ReactNode, useId } from 'react';
import { type UseFormRegister } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { QUOTA_UNITS } from '../../../api/quota.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { type KeyForm, type QuotaMetric } from '../key-form.ts';

interface QuotaFieldProps {
  metric: QuotaMetric;
  /** What is chosen: the amounts are shown for a limit only. */
  kind: KeyForm['quotas'][QuotaMetric]['kind'];
  register: UseFormRegister<KeyForm>;
  error: string | undefined;
}

/** A bound of one kind: the default of the gateway, none, or so many in so long. */
export function QuotaField({ metric, kind, register, error }: QuotaFieldProps): ReactNode {
  const { t } = useTranslation('keys');
  const id = useId();
  const name = t(`metrics.${metric}`);
  const at = `quotas.${metric}` as const;
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 text-sm">{name}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <Select aria-label={t('quota.kind', { metric: name })} {...register(`${at}.kind`)}>
          <option value="default">{t('quota.default')}</option>
          <option value="unlimited">{t('quota.unlimited')}</option>
          <option value="limit">{t('quota.limit')}</option>
        </Select>
        {kind === 'limit' && (
          <>
            <Input
              aria-label={t('quota.amount', { metric: name })}
              aria-invalid={error ? true : undefined}
              inputMode="numeric"
              className="w-28"
              {...register(`${at}.limit`)}
            />
            <span className="text-sm text-muted">{t('quota.per')}</span>
            <Input
              aria-label={t('quota.periods', { metric: name })}
              aria-invalid={error ? true : undefined}
              inputMode="numeric"
              className="w-16"
              {...register(`${at}.periods`)}
            />
            <Select aria-label={t('quota.unit', { metric: name })} {...register(`${at}.unit`)}>
              {QUOTA_UNITS.map((unit) => (
                <option key={unit} value={unit}>
                  {t(`units.${unit}`)}
                </option>
              ))}
            </Select>
          </>
        )}
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
