import { type Condition } from '@parley/protos/errors';
import { type z } from 'zod';
import { type ThrottleClass } from '../config.ts';
import { type Scope } from '../config/scopes.ts';
import { type Deprecation } from '../middleware/deprecation.ts';

/** HTTP methods of the table. */
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may call: anybody, a workspace's key (or the operator's where no scope is needed), or only the operator. */
type Access = 'public' | 'key' | 'operator';

/** What every row of the table says. */
export interface RouteSpec {
  method: Method;
  /** As OpenAPI writes it: `/v1/things/{id}`. */
  path: string;
  /** Name of the operation in the API description, the manifest and the log. */
  operationId: string;
  /** One line for the API description. */
  summary: string;
  access: Access;
  scope: Scope | null;
  throttle: ThrottleClass | null;
  /** What its throttle answers, always in the envelope; else the class's own. */
  throttledAs?: Condition;
  /** Counts towards what its workspace may have under way: it costs something for as long as it lasts (spec §8). */
  limitsConcurrency?: boolean;
  /** Counted in the usage of its key: what is refused before any work begins is counted here (spec §2.9). */
  metered?: boolean;
  status: number;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers of its own. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** A body of multipart/form-data, which the handler reads as it arrives. */
  form?: z.ZodObject;
  /** Absent for an answer without a body. */
  response?: z.ZodType;
  /** A list with X-Total-Count and Link. */
  paged?: boolean;
  /** The bytes of a file, in parts where the client asks for parts. */
  binary?: boolean;
  /** Media type of an answer that is not JSON, or is not always. */
  media?: string;
  /** One event of an answer that the client may have as `text/event-stream`. */
  events?: z.ZodType;
  /** Headers of its own that every good answer has, and what they say. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** The same, of those that some good answers have. */
  optionalResponseHeaders?: Readonly<Record<string, string>>;
  /** With an ETag, and 304 for whoever has it already. */
  cached?: boolean;
  /** Other statuses with the same answer, or with none. */
  otherResponses?: readonly { status: number; description: string; isEmpty?: boolean }[];
  /** What it may be refused with besides what every operation may. */
  errors?: readonly Condition[];
  /** Said in headers and in the API description. */
  deprecated?: Deprecation;
}
