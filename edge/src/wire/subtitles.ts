import { type TimedText } from '@parley/protos/audio/v1/audio';

/** Returns the segments as SubRip: numbered cues, with a comma before the milliseconds. */
export function toSrt(segments: readonly TimedText[]): string {
  return segments.map((one, at) => `${at + 1}\n${toTimes(one, ',')}\n${toLine(one.text)}\n\n`).join('');
}

/** Returns the segments as WebVTT (https://www.w3.org/TR/webvtt1/). */
export function toVtt(segments: readonly TimedText[]): string {
  return `WEBVTT\n\n${segments.map((one) => `${toTimes(one, '.')}\n${escape(toLine(one.text))}\n\n`).join('')}`;
}

/** Joins the lines of a text: a blank line would end the cue. */
function toLine(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}

/** Escapes the characters of tags and arrows in the text of a cue. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function toTimes({ startSeconds, endSeconds }: TimedText, point: ',' | '.'): string {
  return `${toTime(startSeconds, point)} --> ${toTime(endSeconds, point)}`;
}

function toTime(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(seconds * 1_000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}${point}${String(ms % 1_000).padStart(3, '0')}`;
}
