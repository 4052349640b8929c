import qrcode from 'qrcode-generator';

/** Modules of light around a code, which cameras need. */
const QUIET = 4;

/** A QR code; dark on light in every theme, as cameras expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { d, size } = toQrPath(text);
  const side = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      className="size-52 rounded-lg border"
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} className="fill-white" />
      <path d={d} className="fill-black" />
    </svg>
  );
}

/** A QR code as squares of one unit each: the `d` of an SVG path, and how many there are on a side. */
interface QrPath {
  d: string;
  size: number;
}

/** The QR code of a text, without the quiet zone around it. */
function toQrPath(text: string): QrPath {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const places = Array.from({ length: size }, (_, place) => place);
  const dark = places.flatMap((y) => places.filter((x) => code.isDark(y, x)).map((x) => `M${x} ${y}h1v1h-1z`));
  return { d: dark.join(''), size };
}
