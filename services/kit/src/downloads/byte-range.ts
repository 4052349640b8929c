import parseRange from 'range-parser';

/**
 * The part of a file to send: the whole file, one range with inclusive byte offsets, or nothing because the range lies outside of the file.
 */
export type RangeSelection = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' };

const WHOLE: RangeSelection = { kind: 'whole' };

/**
 * Selects the part of a file for a range request (RFC 9110, 14.2). Returns the whole file for several ranges, other units, malformed ranges
 * and an `If-Range` with the ETag of another version.
 */
export function selectRange(
  headers: { range?: string | undefined; 'if-range'?: string | undefined },
  size: number,
  etag: string,
): RangeSelection {
  const { range, 'if-range': ifRange } = headers;
  if (range === undefined || !/^bytes=/i.test(range)) return WHOLE;
  if (ifRange !== undefined && ifRange.trim() !== etag) return WHOLE;
  // The library rejects a suffix longer than the file; RFC 9110 makes it a range over the whole file.
  const [, suffix] = /^bytes=\s*-(\d+)\s*$/i.exec(range) ?? [];
  if (suffix !== undefined && Number(suffix) > size) return { kind: 'part', start: 0, end: size - 1 };
  const ranges = parseRange(size, range);
  if (ranges === -1) return { kind: 'unsatisfiable' };
  const part = ranges === -2 || ranges.length !== 1 ? undefined : ranges[0];
  return part ? { kind: 'part', ...part } : WHOLE;
}

/** Whether `If-None-Match` lists this ETag (weak comparison, RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
