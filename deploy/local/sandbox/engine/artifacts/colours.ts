/** Red, green, blue; 0 to 255 each. */
export type Colour = readonly [number, number, number];

/** The colours that can be asked for by name. */
export const COLOURS: Readonly<Record<string, Colour>> = {
  red: [214, 40, 40],
  green: [42, 157, 84],
  blue: [38, 84, 196],
  yellow: [250, 204, 21],
  orange: [247, 127, 0],
  purple: [123, 44, 191],
  pink: [244, 114, 182],
  brown: [121, 85, 61],
  black: [0, 0, 0],
  white: [255, 255, 255],
  grey: [128, 128, 128],
  gray: [128, 128, 128],
};

export const INK: Colour = [32, 32, 32];
export const PAPER: Colour = [245, 245, 240];
