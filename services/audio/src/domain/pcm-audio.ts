/** PCM samples: mono, 16 bits, little endian. */
export interface PcmAudio {
  pcm: Buffer[];
  /** In Hz. */
  sampleRate: number;
}
