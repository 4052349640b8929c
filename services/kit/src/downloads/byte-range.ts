import parseRange from 'range-parser';

/** What of a file is to be sent: all of it, one part in bytes with both ends included, or nothing since no part of it was asked for. */
export type Selection = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' };

const WHOLE: Selection = { kind: 'whole' };

/**
 * What a request for parts gets (RFC 9110, 14.2): several parts, other units and what cannot be read get the whole file; so does a
 * condition on a version that is not this one.
 */
export function selectRange(
  headers: { range?: string | undefined; 'if-range'?: string | undefined },
  size: number,
  etag: string,
): Selection {
  const { range, 'if-range': ifRange } = headers;
  if (range === undefined || !/^bytes=/i.test(range)) return WHOLE;
  if (ifRange !== undefined && ifRange.trim() !== etag) return WHOLE;
  // The library takes a suffix longer than the file for unsatisfiable; it is the whole of it, as a part.
  const [, suffix] = /^bytes=\s*-(\d+)\s*$/i.exec(range) ?? [];
  if (suffix !== undefined && Number(suffix) > size) return { kind: 'part', start: 0, end: size - 1 };
  const ranges = parseRange(size, range);
  if (ranges === -1) return { kind: 'unsatisfiable' };
  const part = ranges === -2 || ranges.length !== 1 ? undefined : ranges[0];
  return part ? { kind: 'part', ...part } : WHOLE;
}

/** True when the client has this version already (`If-None-Match`; compared weakly, as RFC 9110, 13.1.2 wants). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
