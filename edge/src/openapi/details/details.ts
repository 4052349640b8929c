/** The description and the examples of an operation, beyond its row of the route table. Examples are checked against their schemas by a test. */
export interface OperationDetails {
  /** In Markdown. */
  description: string;
  /** A body that is taken, or the fields of a form. */
  request?: unknown;
  /** A body that is answered. */
  response?: unknown;
  /** The same where it is text. */
  text?: string;
  /** Events of a stream, by what they show. */
  events?: Readonly<Record<string, { summary: string; value: unknown }>>;
}

/** By operation id. */
export type DetailsById = Readonly<Record<string, OperationDetails>>;
