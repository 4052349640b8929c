import { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { type z } from 'zod';
import { type ThrottleClass } from '../config.ts';
import { type Principal, type Scope } from '../middleware/principal.ts';
import { type RouteDeps } from './deps.ts';

/** HTTP methods of the table. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may call: anybody, a workspace's key (or the operator's where no scope is needed), or only the operator. */
export type Access = 'public' | 'key' | 'operator';

type Shape = z.ZodObject;
type Of<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler is given: everything already authenticated and validated. */
export interface Input<P = undefined, Q = undefined, B = undefined> {
  params: P;
  query: Q;
  body: B;
  /** Of a public route: nobody. */
  principal: Principal;
  req: IncomingMessage;
}

/** What a handler answers; `status` only where it differs from the row's. */
export interface Reply<R> {
  body: R;
  status?: number;
  headers?: OutgoingHttpHeaders;
}

/** What every row of the table says. */
export interface RouteFacts {
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
  status: number;
  params?: Shape;
  query?: Shape;
  body?: z.ZodType;
  /** Absent for an answer without a body. */
  response?: z.ZodType;
  /** A list with X-Total-Count and Link. */
  paged?: boolean;
}

/** A row of the route table. */
export interface Route extends RouteFacts {
  handle: (input: Input<never, never, never>, deps: RouteDeps) => Promise<Reply<unknown>> | Reply<unknown>;
}

type Row<P extends Shape | undefined, Q extends Shape | undefined, B extends z.ZodType | undefined, R extends z.ZodType | undefined> = Pick<
  RouteFacts,
  'method' | 'path' | 'operationId' | 'summary' | 'access'
> &
  Partial<Pick<RouteFacts, 'scope' | 'throttle' | 'status' | 'paged'>> & {
    params?: P;
    query?: Q;
    body?: B;
    response?: R;
    handle: (input: Input<Of<P>, Of<Q>, Of<B>>, deps: RouteDeps) => Promise<Reply<InputOf<R>>> | Reply<InputOf<R>>;
  };

type InputOf<R> = R extends z.ZodType ? z.input<R> : undefined;

/** A row whose handler's input and answer follow from its schemas. */
export function route<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(row: Row<P, Q, B, R>): Route {
  return { scope: null, throttle: null, status: 200, ...row } as Route;
}
