import { describe, expect, it } from '@jest/globals';
import { toSrt, toVtt } from './subtitles.ts';

const SEGMENTS = [
  { text: 'the door\n\nis --> blue', startSeconds: 0, endSeconds: 1.2345 },
  { text: 'a < b & c', startSeconds: 59.9996, endSeconds: 7_384.05 },
];

describe('subtitles', () => {
  it('are numbered in SRT', () => {
    expect(toSrt(SEGMENTS)).toBe(
      '1\n00:00:00,000 --> 00:00:01,235\nthe door is --> blue\n\n2\n00:01:00,000 --> 02:03:04,050\na < b & c\n\n',
    );
  });

  it('have a header in WebVTT, and escape what a player would parse as a tag or an arrow', () => {
    expect(toVtt(SEGMENTS)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.235\nthe door is --&gt; blue\n\n00:01:00.000 --> 02:03:04.050\na &lt; b &amp; c\n\n',
    );
  });

  it('are empty without cues', () => {
    expect([toSrt([]), toVtt([])]).toEqual(['', 'WEBVTT\n\n']);
  });
});
