// Before the first paint, so that no page flashes in the other theme.
try {
  const theme = localStorage.getItem('parley.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is off: the theme of the system holds.
}
