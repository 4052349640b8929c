/** What a session was begun with, as far as its `User-Agent` says. */
export interface DeviceName {
  browser: string | undefined;
  system: string | undefined;
}

// The first that matches: most of them also name those after them.
const BROWSERS: readonly [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];
const SYSTEMS: readonly [name: string, mark: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** The browser and the system that a `User-Agent` names. */
export function toDeviceName(userAgent: string): DeviceName {
  const nameIn = (known: typeof BROWSERS) => known.find(([, mark]) => mark.test(userAgent))?.[0];
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
