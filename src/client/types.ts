import type { PublicErrorCode } from "../contract/errors.ts";
import type { WebhookEvent as ContractEvent } from "../contract/events.ts";
import type { Operation } from "../contract/paths.ts";
import type { BodyInput, Input, Output, Page, Routes } from "../contract/routes.ts";

/** A newer server may answer with values that this version does not know (CONTRACT 10): every enum of an answer is open. */
export type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends object
    ? { [K in keyof T]: Open<T[K]> }
    : T;

/** Inputs are only read: constants and frozen lists are taken too. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

type Merged<O extends Operation> = Known<Input<O>["params"]> &
  Known<Input<O>["query"]> &
  Known<BodyInput<O>>;
type Known<T> = T extends object ? T : unknown;

/** Path parameters, query and body of an operation in one object: their names never meet. */
export type ClientInput<O extends Operation> =
  unknown extends Merged<O> ? Record<string, never> : Frozen<Merged<O>>;

/** The events as of this version, told apart by `type`. Others may appear: end a `switch` with a default branch. */
export type WebhookEvent = Opened<ContractEvent>;
type Opened<E> = { [K in keyof E]: K extends "type" ? E[K] : Open<E[K]> };

type Row<O extends Operation> = O extends "listEvents"
  ? WebhookEvent
  : Output<O> extends Page<infer T>
    ? Open<T>
    : Open<Output<O>>;

/** What every answer carries around its data (SPEC 2.1). */
export interface Answer<T> {
  readonly data: T;
  readonly livemode: boolean;
  /** Quote it in a support request. */
  readonly request_id: string;
}

export interface ListPage<T> extends Answer<readonly T[]> {
  readonly has_more: boolean;
  /** For `starting_after` of the next call. */
  readonly next_cursor: string | null;
}

/** `await` gives this one page; `for await` gives every row of this page and of all that follow. */
export interface ListRequest<T> extends Promise<ListPage<T>>, AsyncIterable<T> {}

export type ClientOutput<O extends Operation> = Routes[O]["reply"] extends { readonly list: true }
  ? ListRequest<Row<O>>
  : Promise<Answer<Row<O>>>;

type OperationsWith<Trait> = { [O in Operation]: Routes[O] extends Trait ? O : never }[Operation];
export type IdempotentOperation = OperationsWith<{ readonly idempotent: true }>;
export type BuyerOperation = OperationsWith<{ readonly buyer: string }>;

export type CustomerToken =
  | string
  | null
  | undefined
  | (() => string | null | undefined | Promise<string | null | undefined>);

interface BaseOptions {
  /** Ends the call, its retries and its waits; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}
interface IdempotencyOption {
  /** One key for one purchase. By default each call makes its own, which lasts for that call's retries alone. */
  readonly idempotencyKey?: string | undefined;
}
interface BuyerOption {
  /** In place of the client's: on a server, which talks for many buyers. */
  readonly customerToken?: CustomerToken;
}
interface BuyerIpOption {
  /** The buyer's address, so that limits count by it: with a secret key, where the deployment trusts it. */
  readonly buyerIp?: string | undefined;
}
export type CallOptions<O extends Operation = Operation> = BaseOptions &
  (O extends IdempotentOperation ? IdempotencyOption : unknown) &
  (O extends BuyerOperation ? BuyerOption : unknown) &
  (Routes[O]["limit"] extends "checkout" | "coupons" ? BuyerIpOption : unknown);

type Method<O extends Operation> =
  Record<never, never> extends ClientInput<O>
    ? (input?: ClientInput<O>, options?: CallOptions<O>) => ClientOutput<O>
    : (input: ClientInput<O>, options?: CallOptions<O>) => ClientOutput<O>;

/** One method an operation of the API. */
export type Client = { readonly [O in Operation]: Method<O> };

/** What the client itself says: no answer, none in time, or one that is not the API's. */
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

/** The codes that an operation can end with. */
export type ErrorCodeOf<O extends Operation> = O extends Operation
  ?
      | CommonCode
      | ClientErrorCode
      | Routes[O]["errors"][number]
      | (O extends IdempotentOperation ? IdempotencyCode : never)
      | (O extends BuyerOperation ? BuyerCode : never)
  : never;
