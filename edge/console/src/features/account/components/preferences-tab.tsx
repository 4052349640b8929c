import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseIdleMinutes, IDLE_MINUTES, getIdleMinutes } from '../../../session/idle-limit.ts';
import { LanguageOptions, ThemeOptions, useLanguageSelect, useThemeSelect } from '../../../shell/preference-options.tsx';
import { announce } from '../../../ui/announcer.ts';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/field.tsx';

/** Preferences of the console in this browser: theme, language, idle limit. */
export function PreferencesTab() {
  const { t } = useTranslation('account');
  const theme = useThemeSelect();
  const language = useLanguageSelect();
  const [minutes, setMinutes] = useState(getIdleMinutes);
  return (
    <Card title={t('console.title')} className="max-w-lg">
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">{t('console.text')}</p>
        <SelectField label={t('theme.label')} {...theme}>
          <ThemeOptions />
        </SelectField>
        <SelectField label={t('language')} {...language}>
          <LanguageOptions />
        </SelectField>
        <SelectField
          label={t('console.idle')}
          hint={t('console.idleHint')}
          value={minutes}
          onChange={({ target }) => {
            chooseIdleMinutes(Number(target.value));
            setMinutes(getIdleMinutes());
            announce(t('saved'));
          }}
        >
          {IDLE_MINUTES.map((count) => (
            <option key={count} value={count}>
              {t('console.minutes', { count })}
            </option>
          ))}
        </SelectField>
      </div>
    </Card>
  );
}
