import qrcode from 'qrcode-generator';

/** A QR code as squares of one unit each: the `d` of an SVG path, and how many there are on a side. */
export interface QrPath {
  d: string;
  size: number;
}

/** The QR code of a text, without the quiet zone around it. */
export function toQrPath(text: string): QrPath {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const places = Array.from({ length: size }, (_, place) => place);
  const dark = places.flatMap((y) => places.filter((x) => code.isDark(y, x)).map((x) => `M${x} ${y}h1v1h-1z`));
  return { d: dark.join(''), size };
}
