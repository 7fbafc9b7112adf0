import type { ProductFacets } from "../contract/catalog/facets-schema.ts";
import type { ClientOperation as Operation } from "../contract/client-paths.ts";
import type { PublicErrorCode } from "../contract/errors.ts";
import type { WebhookEvent as ContractEvent } from "../contract/events.ts";
import type { BodyInput, Input, Output, Page, Routes } from "../contract/routes.ts";

/**
 * A newer server may answer with values that this version does not know, so each
 * enum of an answer also takes other texts (docs/contract/errors.md#versions).
 */
export type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends object
    ? { [K in keyof T]: Open<T[K]> }
    : T;

/** The client only reads its inputs, so constants and frozen lists fit too. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

type Merged<O extends Operation> = Known<Input<O>["params"]> &
  Known<Input<O>["query"]> &
  Known<BodyInput<O>>;
type Known<T> = T extends object ? T : unknown;

/** One object holds path parameters, query and body of an operation: no name is used twice. */
export type ClientInput<O extends Operation> =
  unknown extends Merged<O> ? Record<string, never> : Frozen<Merged<O>>;

/**
 * The events of this version; `type` tells them apart. A newer server may send other types: end a
 * `switch` with a default branch.
 */
export type WebhookEvent = Opened<ContractEvent>;
type Opened<E> = { [K in keyof E]: K extends "type" ? E[K] : Open<E[K]> };

type Row<O extends Operation> = O extends "listEvents"
  ? WebhookEvent
  : Output<O> extends Page<infer T>
    ? Open<T>
    : Open<Output<O>>;

/** Each answer is such an object. */
export interface Answer<T> {
  readonly data: T;
  readonly livemode: boolean;
  /** Quote it in a support request. */
  readonly request_id: string;
}

/** One page of a list, with the answer's id. */
export interface ListPage<T> extends Answer<readonly T[]> {
  readonly has_more: boolean;
  /** Pass it as `starting_after` of the next call. It is null when there is no next page. */
  readonly next_cursor: string | null;
  /** The words that found the products, where `search` itself found nothing. */
  readonly corrected_to?: string;
  /** What `facets` asked for, over all pages. It is null when more than 10,000 are found. */
  readonly facets?: ProductFacets | null;
}

/**
 * `await` gives one page; `for await` gives the rows of this page and of all pages
 * after it.
 */
export interface ListRequest<T> extends Promise<ListPage<T>>, AsyncIterable<T> {}

/** A call of the client gives this result. */
export type ClientOutput<O extends Operation> = Routes[O]["reply"] extends { readonly list: true }
  ? ListRequest<Row<O>>
  : Promise<Answer<Row<O>>>;

type OperationsWith<Trait> = { [O in Operation]: Routes[O] extends Trait ? O : never }[Operation];

/** The operations that are sent with an `Idempotency-Key`. */
export type IdempotentOperation = OperationsWith<{ readonly idempotent: true }>;

/** The operations that take a buyer's token. */
export type BuyerOperation = OperationsWith<{ readonly buyer: string }>;

/** A buyer's token, or a function that gets one. */
export type CustomerToken =
  | string
  | null
  | undefined
  | (() => string | null | undefined | Promise<string | null | undefined>);

interface BaseOptions {
  /**
   * Ends the call with its retries and waits; the promise rejects with the signal's
   * reason.
   */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which an attempt ends. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** The most times that the call is tried again. The default is the client's `maxRetries`. */
  readonly maxRetries?: number | undefined;
}

interface IdempotencyOption {
  /**
   * Use one key for one purchase. Without it each call makes a new key, which
   * protects only the retries of that call.
   */
  readonly idempotencyKey?: string | undefined;
}

interface BuyerOption {
  /** Takes the place of the client's token, for a server that calls for many buyers. */
  readonly customerToken?: CustomerToken | undefined;
}

interface BuyerIpOption {
  /**
   * The IP address of the buyer, which rate limits then count by. The API
   * uses it only with a secret key, and where the deployment allows it.
   */
  readonly buyerIp?: string | undefined;
}

/** The settings of one call. */
export type CallOptions<O extends Operation = Operation> = BaseOptions &
  (O extends IdempotentOperation ? IdempotencyOption : unknown) &
  (O extends BuyerOperation ? BuyerOption : unknown) &
  (Routes[O]["limit"] extends "checkout" | "sessions" | "coupons" | "licenses"
    ? BuyerIpOption
    : unknown);

type Method<O extends Operation> =
  Record<never, never> extends ClientInput<O>
    ? (input?: ClientInput<O>, options?: CallOptions<O>) => ClientOutput<O>
    : (input: ClientInput<O>, options?: CallOptions<O>) => ClientOutput<O>;

/** The client has one method for each operation of the API. */
export type Client = { readonly [O in Operation]: Method<O> };

/**
 * The client itself fails with these codes: no answer, no answer in time, or an
 * answer not of the API.
 */
export type ClientErrorCode = "connection_error" | "timeout" | "invalid_response";
type IdempotencyCode = Extract<
  PublicErrorCode,
  `${string}idempotency_key${string}` | "request_in_progress"
>;
type BuyerCode = Extract<PublicErrorCode, `${string}customer_token${string}`>;
type CommonCode = Exclude<
  PublicErrorCode,
  Routes[Operation]["errors"][number] | IdempotencyCode | BuyerCode
>;

/** An operation can fail with these codes. */
export type ErrorCodeOf<O extends Operation> = O extends Operation
  ?
      | CommonCode
      | ClientErrorCode
      | Routes[O]["errors"][number]
      | (O extends IdempotentOperation ? IdempotencyCode : never)
      | (O extends BuyerOperation ? BuyerCode : never)
  : never;
