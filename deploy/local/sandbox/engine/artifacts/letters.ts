// Five columns for each letter, the lowest bit on top; two hexadecimal digits each.
const COLUMNS: Readonly<Record<string, string>> = {
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  0: '3e5149453e',
  1: '00427f4000',
  2: '4261514946',
  3: '2141454b31',
  4: '1814127f10',
  5: '2745454539',
  6: '3c4a494930',
  7: '0171090503',
  8: '3649494936',
  9: '064949291e',
};

/** A cell of a letter is six wide and eight high, its gaps included. */
export const LETTER_CELL = { width: 6, height: 8 } as const;

/** Returns the set pixels of a letter as [x, y] within its cell; none for a space and for unknown characters. */
export function getLetterPixels(letter: string): [number, number][] {
  const columns = COLUMNS[letter.toUpperCase()] ?? '';
  const pixels: [number, number][] = [];
  for (let x = 0; x < columns.length / 2; x++) {
    const column = Number.parseInt(columns.slice(x * 2, x * 2 + 2), 16);
    for (let y = 0; y < 7; y++) if ((column >> y) % 2 === 1) pixels.push([x, y]);
  }
  return pixels;
}
