import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, LANGUAGES } from '../../../i18n/i18n.ts';
import { chooseIdleMinutes, IDLE_MINUTES, getIdleMinutes } from '../../../session/idle-limit.ts';
import { getTheme, chooseTheme, type Theme, THEMES } from '../../../shell/theme.ts';
import { announce } from '../../../ui/announcer.ts';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/field.tsx';

/** Preferences of the console in this browser: theme, language, idle limit. */
export function PreferencesTab() {
  const { t, i18n } = useTranslation('account');
  const [theme, setTheme] = useState(getTheme);
  const [minutes, setMinutes] = useState(getIdleMinutes);
  return (
    <Card title={t('console.title')} className="max-w-lg">
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">{t('console.text')}</p>
        <SelectField
          label={t('theme.label')}
          value={theme}
          onChange={({ target }) => {
            chooseTheme(target.value as Theme);
            setTheme(target.value as Theme);
          }}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {t(`theme.${name}`)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('language')} value={i18n.language} onChange={({ target }) => void chooseLanguage(target.value as Language)}>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code === 'zh' ? 'zh-Hans' : code}>
              {name}
            </option>
          ))}
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
