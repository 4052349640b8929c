/** Returns a deterministic estimate of tokens: words, punctuation marks, and every character of scripts written without spaces. */
export function countTokens(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const wide = unit >= 0x2e80;
    const letter = !wide && ((unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit > 127);
    if (letter ? !inWord : unit > 32) count++;
    inWord = letter;
  }
  return count;
}
