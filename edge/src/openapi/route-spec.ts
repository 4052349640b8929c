import { type ErrorCondition } from '@parley/protos/errors';
import { type z } from 'zod';
import { type ThrottleClass } from '../config.ts';
import { type Scope } from '../config/scopes.ts';
import { type Permission } from '../identity/permissions.ts';
import { type Deprecation } from '../middleware/deprecation.ts';

/** HTTP methods of the routes. */
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may call an operation: everybody (`public`); an API key of a workspace, or the operator key where no scope is needed (`key`); a
 * person with a login session (`session`), or one in a browser who is about to sign in (`visitor`); an OpenID Connect provider, whose
 * request contains its proof (`provider`); a token of the control plane (`admin`).
 */
type Access = 'public' | 'key' | 'visitor' | 'provider' | 'session' | 'admin';

/** A route without its handler. */
export interface RouteSpec {
  method: Method;
  /** In the syntax of OpenAPI: `/v1/things/{id}`. */
  path: string;
  /** Id of the operation in the API description, the manifest, the log, the metrics and the traces. */
  operationId: string;
  /** Summary for the API description, in one line. */
  summary: string;
  access: Access;
  /** The permission that the caller needs in the workspace of the request; for `session` and `admin`. */
  permission?: Permission;
  /** True when a person who must set up a second factor, and has none yet, may call it. */
  allowsWithoutSecondFactor?: boolean;
  /** The route of `/v1` that this one offers to signed-in people, in the workspace that the request chooses. */
  mirrors?: RouteSpec;
  scope: Scope | null;
  throttle: ThrottleClass | null;
  /** Error code when the throttle refuses, always in the envelope; by default the code of the class. */
  throttleCondition?: ErrorCondition;
  /** True when requests count towards the concurrent requests of the workspace. */
  limitsConcurrency?: boolean;
  /** True when requests count in the usage of the key: the edge counts those that are rejected before any work begins. */
  metered?: boolean;
  status: number;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers in addition to the common ones. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** True for a body of application/x-www-form-urlencoded. @default JSON */
  isUrlEncoded?: boolean;
  /** The fields of a multipart/form-data body, which the handler reads as it arrives. */
  form?: z.ZodObject;
  /** Schema of the JSON answer; absent for an answer without a JSON body. */
  response?: z.ZodType;
  /** True for a list with X-Total-Count and Link. */
  paged?: boolean;
  /** True for the bytes of a file, with ranges. */
  binary?: boolean;
  /** Media type of an answer that is not, or not always, JSON. */
  media?: string;
  /** Schema of one event of an answer as `text/event-stream`. */
  events?: z.ZodType;
  /** Additional response headers of every successful answer, with their descriptions. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Additional response headers of some successful answers, with their descriptions. */
  optionalResponseHeaders?: Readonly<Record<string, string>>;
  /** True for an answer with an ETag, and 304 for a client that has this version. */
  hasEtag?: boolean;
  /** Other statuses with the same answer, or without a body. */
  otherResponses?: readonly { status: number; description: string; isEmpty?: boolean }[];
  /** Error codes in addition to those of every operation. */
  errors?: readonly ErrorCondition[];
  /** Deprecation for the headers and the API description. */
  deprecated?: Deprecation;
}
