/** Any origin serves to see where a path would lead. */
const SOMEWHERE = 'http://somewhere.invalid';
const BASE = '/console';
/** Leads in a circle. */
const ENTRY = /^\/sign-in(?:$|[?#/])/;

/** The path inside the console that a `return_to` names; the start where it names another origin, or the sign-in itself. */
export function toReturnPath(text: string | undefined): string {
  // Browsers read a backslash as a slash, and leave out line ends and tabs.
  if (!text?.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return '/';
  const url = new URL(text, SOMEWHERE);
  if (url.origin !== SOMEWHERE) return '/';
  const whole = url.pathname + url.search + url.hash;
  const path = whole === BASE || whole.startsWith(`${BASE}/`) ? whole.slice(BASE.length) || '/' : whole;
  // What was cut off may have hidden another origin.
  return path.startsWith('//') || ENTRY.test(path) ? '/' : path;
}
