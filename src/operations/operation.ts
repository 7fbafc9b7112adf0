import type { ProductFacets } from "../contract/catalog/facets-schema.ts";
import type { Operation } from "../contract/paths.ts";
import type { Input, Routes } from "../contract/routes.ts";
import type { Cart } from "../rules/checkout/checkout-records.ts";
import type { SessionRecord } from "../rules/records.ts";
import type { Caller } from "./caller.ts";
import type { OperationContext } from "./context.ts";

/** What one call of an operation receives. The schemas of the operation have read the input. */
export interface OperationCall<O extends Operation> {
  readonly ctx: OperationContext;
  readonly caller: Caller;
  readonly input: Input<O>;
}

/**
 * A call under an Idempotency-Key receives this too. It is read together with the
 * key.
 */
export interface IdempotentCall<O extends Operation> extends OperationCall<O> {
  readonly cart: Cart;
  /** The time of the caller's mode, in epoch milliseconds. */
  readonly now: number;
}

/**
 * The data and page fields of an answer. Status, headers and ids are made for each
 * request.
 */
export interface OperationResult {
  /** The JSON text of `data`. */
  readonly data: string;
  /** Null when the data is not a list. */
  readonly page: {
    readonly has_more: boolean;
    readonly next_cursor: string | null;
    /** The search that found the rows, where another one found nothing. */
    readonly corrected_to?: string | undefined;
    /** What was counted of the products of all pages. */
    readonly facets?: ProductFacets | null | undefined;
  } | null;
}

/** Names the operations whose route asks for an Idempotency-Key. */
export type IdempotentOperation = {
  [O in Operation]: Routes[O] extends { readonly idempotent: true } ? O : never;
}[Operation];

/** Names the operations that answer with a text of their own and no JSON. */
export type FeedOperation = {
  [O in Operation]: Routes[O]["reply"] extends { readonly media: string } ? O : never;
}[Operation];

/** Names the operations that are answered with JSON and without an Idempotency-Key. */
export type PlainOperation = Exclude<Operation, IdempotentOperation | FeedOperation>;

export type Handler<O extends PlainOperation> = (
  call: OperationCall<O>,
) => Promise<OperationResult>;

/**
 * Gives the session to write. The caller writes it in one transaction with the key
 * and the reply, and only then answers.
 */
export type IdempotentHandler<O extends IdempotentOperation> = (
  call: IdempotentCall<O>,
) => Promise<SessionRecord>;

/** Gives the changed session to write, as an `IdempotentHandler` gives a new one. */
export type ChangeHandler = (
  call: IdempotentCall<"updateCheckoutSession"> & { readonly session: SessionRecord },
) => Promise<SessionRecord>;
