/** A part of a transcript, with its times in seconds from the beginning of the recording. */
export interface TimedText {
  text: string;
  startSeconds: number;
  endSeconds: number;
}
