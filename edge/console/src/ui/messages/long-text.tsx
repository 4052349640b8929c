import { memo } from 'react';
import { splitIntoChunks } from './text-chunks.ts';

const Piece = memo(function Piece({ text }: { text: string }) {
  return <div className="[contain-intrinsic-size:auto_30rem] break-words whitespace-pre-wrap [content-visibility:auto]">{text}</div>;
});

/** Text as it is, of any length: in pieces, of which the browser lays out those in sight. */
export function LongText({ text }: { text: string }) {
  const pieces = splitIntoChunks(text);
  // A short text needs no pieces, nor their estimated heights.
  if (pieces.length < 2) return <div className="break-words whitespace-pre-wrap">{text}</div>;
  return pieces.map((piece, index) => <Piece key={index} text={piece} />);
}
