/** Gives the browser a file to save that is in memory. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it up when the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** The same with a text. */
export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'text/plain' }));
}
