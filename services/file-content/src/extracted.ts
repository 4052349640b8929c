/** The text of a file, and in plain words what of it is missing; '' when nothing is. */
export interface Extracted {
  text: string;
  omitted: string;
}
