/** Gives the browser a file to save that was made here. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it up when the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
