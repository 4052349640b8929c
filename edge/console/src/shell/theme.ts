const STORED = 'parley.theme';
/** What one may choose. */
export const THEMES = ['system', 'light', 'dark'] as const;

/** `system` follows the setting of the machine. */
export type Theme = (typeof THEMES)[number];

/** Returns the theme that was chosen in this browser; `system` without a choice. */
export function getTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? 'system';
}

/** Changes the theme, for the next visit too: `public/theme.js` reads it before the first paint. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(STORED);
    delete document.documentElement.dataset['theme'];
    return;
  }
  localStorage.setItem(STORED, theme);
  document.documentElement.dataset['theme'] = theme;
}
