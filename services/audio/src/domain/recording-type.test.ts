import { describe, expect, it } from '@jest/globals';
import { detectRecordingType } from './recording-type.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const ogg = (packet: string): Buffer => Buffer.concat([latin1('OggS'), Buffer.alloc(22), Buffer.from([1, packet.length]), latin1(packet)]);
const MPEG = Buffer.from([0xff, 0xfb, 0x90, 0x64]);
const id3 = (size: number): Buffer => Buffer.concat([latin1('ID3\u0004\0\0\0\0\0'), Buffer.from([size]), Buffer.alloc(size)]);

describe('detectRecordingType', () => {
  it.each([
    ['wav', latin1('RIFF\x24\0\0\0WAVEfmt '), 'audio/wav'],
    ['flac', latin1('fLaC\0\0\0\x22'), 'audio/flac'],
    ['opus', ogg('OpusHead\x01\x01'), 'audio/ogg'],
    ['vorbis', ogg('\x01vorbis\0\0'), 'audio/ogg'],
    ['flac', ogg('\x7fFLAC\x01\0'), 'audio/flac'],
    ['webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f]), 'audio/webm'],
    ['mp4', latin1('\0\0\0\x20ftypM4A '), 'audio/mp4'],
    ['mp3', MPEG, 'audio/mpeg'],
    ['mp3', Buffer.concat([id3(20), MPEG]), 'audio/mpeg'],
    ['flac', Buffer.concat([id3(3), latin1('fLaC')]), 'audio/flac'],
  ])('knows %s by its content', (format, head, mimeType) => {
    expect(detectRecordingType(head)).toMatchObject({ format, mimeType });
  });

  it.each([
    ['text', latin1('RIFF is a word, and this is text.')],
    ['nothing', Buffer.alloc(0)],
    ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['a video stream of Ogg', ogg('\x80theora\x03')],
    ['an Ogg page that is cut off', latin1('OggS\0')],
    ['a byte order mark', Buffer.from([0xff, 0xfe, 0x41, 0x00])],
    ['a tag without anything behind it', id3(9)],
  ])('does not take %s for a recording', (_name, head) => {
    expect(detectRecordingType(head)).toBeUndefined();
  });
});
