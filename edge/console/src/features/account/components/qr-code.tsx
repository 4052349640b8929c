import { toQrPath } from '../queries/qr-path.ts';

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
