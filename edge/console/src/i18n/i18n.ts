import i18next, { type i18n as I18n } from 'i18next';
import resourcesToBackend from 'i18next-resources-to-backend';
import { initReactI18next } from 'react-i18next';

/** Languages that are complete. */
export const LANGUAGES = { en: 'English', zh: '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'parley.language';

// A namespace is a feature, or `common`; each is a chunk that is loaded with the first screen that needs it.
const texts = import.meta.glob<{ default: Record<string, unknown> }>(['../locales/*.json', '../features/*/locales/*.json']);

function load(language: string, namespace: string): Promise<Record<string, unknown>> {
  const file = namespace === 'common' ? `../locales/${language}.json` : `../features/${namespace}/locales/${language}.json`;
  const read = texts[file];
  if (!read) throw new Error(`no texts: ${file}`);
  return read().then((module) => module.default);
}

/** The language that was chosen here, or the browser's, or English. */
function startLanguage(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages];
  const known = wanted.map((tag) => tag?.toLowerCase().split('-')[0]).find((tag) => tag !== undefined && tag in LANGUAGES);
  return (known ?? 'en') as Language;
}

/** Initializes i18next; resolves when the first language is loaded. */
export async function initI18n(): Promise<I18n> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
  });
  await i18next
    .use(resourcesToBackend(load))
    .use(initReactI18next)
    .init({
      lng: startLanguage(),
      fallbackLng: 'en',
      supportedLngs: Object.keys(LANGUAGES),
      ns: ['common'],
      defaultNS: 'common',
      fallbackNS: 'common',
      // React escapes.
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  return i18next;
}

/** Changes the language, for the next visit too. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  await i18next.changeLanguage(language);
}
