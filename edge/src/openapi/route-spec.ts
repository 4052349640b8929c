import { type Condition } from '@parley/protos/errors';
import { type z } from 'zod';
import { type ThrottleClass } from '../config.ts';
import { type Scope } from '../config/scopes.ts';
import { type Permission } from '../identity/permissions.ts';
import { type Deprecation } from '../middleware/deprecation.ts';

/** HTTP methods of the table. */
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may call: everyone; a workspace's key (or the operator's where no scope is needed); a person with a login session, or one in a browser who is
 * about to sign in (`visitor`); an OpenID Connect provider, which proves itself with what it sends; the control plane.
 */
type Access = 'public' | 'key' | 'visitor' | 'provider' | 'session' | 'admin';

/** A row of the route table without its handler. */
export interface RouteSpec {
  method: Method;
  /** As OpenAPI writes it: `/v1/things/{id}`. */
  path: string;
  /** Name of the operation in the API description, the manifest, the log, the metrics and the traces. */
  operationId: string;
  /** One line for the API description. */
  summary: string;
  access: Access;
  /** What the role of the caller must include, in the workspace that the request names; for `session` and `admin`. */
  permission?: Permission;
  /** Open to a person who must have a second factor and has none yet. */
  opensToOneFactor?: boolean;
  /** The row of `/v1` that this one is for signed-in people, in the workspace that a request chooses. */
  mounts?: RouteSpec;
  scope: Scope | null;
  throttle: ThrottleClass | null;
  /** Error code of its throttle, always in the envelope; the code of the class by default. */
  throttledAs?: Condition;
  /** Counts towards the concurrent requests of its workspace. */
  limitsConcurrency?: boolean;
  /** Counted in the usage of its key: the edge counts what is rejected before any work begins. */
  metered?: boolean;
  status: number;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers of its own. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The body is one of application/x-www-form-urlencoded. @default JSON */
  isUrlEncoded?: boolean;
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
  /** Response headers of its own that every successful answer has, with their descriptions. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** The same, for headers of some successful answers. */
  optionalResponseHeaders?: Readonly<Record<string, string>>;
  /** Answers with an ETag, and 304 to a client that has this version. */
  cached?: boolean;
  /** Other statuses with the same answer, or with none. */
  otherResponses?: readonly { status: number; description: string; isEmpty?: boolean }[];
  /** Its own errors, besides those of every operation. */
  errors?: readonly Condition[];
  /** Shown in headers and in the API description. */
  deprecated?: Deprecation;
}
