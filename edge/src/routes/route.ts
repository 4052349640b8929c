import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type z } from 'zod';
import { type Principal } from '../middleware/principal.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type Amounts, type Reservation } from '../quota/reservation.ts';
import { type RouteDeps } from './deps.ts';

type Shape = z.ZodObject;
type Of<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The input of a handler: authenticated and validated. */
export interface Input<P = undefined, Q = undefined, B = undefined> {
  params: P;
  query: Q;
  body: B;
  /** Without ids for a public route. */
  principal: Principal;
  /** What was reserved of the quotas of the key; a handler that learns the actual amounts settles it. */
  reservation: Reservation;
  req: IncomingMessage;
}

/** What a handler answers; `status` only where it differs from the row's. */
export interface Reply<R> {
  body: R;
  status?: number;
  headers?: OutgoingHttpHeaders;
}

/** The result of a handler that has written the response itself, with anything but JSON. */
export const RESPONSE_SENT = Symbol('answered');

/** Runs an operation: its answer, or `RESPONSE_SENT` when it wrote one to the response. */
type Handle<I, R> = (
  input: I,
  deps: RouteDeps,
  res: ServerResponse,
) => Promise<Reply<R> | typeof RESPONSE_SENT> | Reply<R> | typeof RESPONSE_SENT;

type Expect<I> = (input: I, deps: RouteDeps) => Amounts | Promise<Amounts>;

type WorkspaceOf<I> = (input: I, deps: RouteDeps) => string | undefined | Promise<string | undefined>;

/** A row of the route table. */
export interface Route extends RouteSpec {
  /** What a request is expected to take of the quotas of its key and workspace; without it the operation needs no quotas. */
  quota?: Expect<Input<never, never, never>>;
  /** The workspace that its permission is needed in; what is not of one needs a role for the whole gateway. @default the `workspace_id` of the request */
  workspaceOf?: WorkspaceOf<Input<never, never, never>>;
  handle: Handle<Input<never, never, never>, unknown>;
}

type Row<P extends Shape | undefined, Q extends Shape | undefined, B extends z.ZodType | undefined, R extends z.ZodType | undefined> = Pick<
  RouteSpec,
  'method' | 'path' | 'operationId' | 'summary' | 'access'
> &
  Partial<Omit<RouteSpec, 'method' | 'path' | 'operationId' | 'summary' | 'access' | 'params' | 'query' | 'body' | 'response'>> & {
    params?: P;
    query?: Q;
    body?: B;
    response?: R;
    quota?: Expect<Input<Of<P>, Of<Q>, Of<B>>>;
    workspaceOf?: WorkspaceOf<Input<Of<P>, Of<Q>, Of<B>>>;
    handle: Handle<Input<Of<P>, Of<Q>, Of<B>>, InputOf<R>>;
  };

type InputOf<R> = R extends z.ZodType ? z.input<R> : undefined;

/** A row whose handler's input and answer follow from its schemas. */
export function route<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  R extends z.ZodType | undefined = undefined,
>(row: Row<P, Q, B, R>): Route {
  return { scope: null, throttle: null, status: 200, ...row };
}
