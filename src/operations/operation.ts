import type { Operation } from "../contract/paths.ts";
import type { Input, Routes } from "../contract/routes.ts";
import type { Cart } from "../rules/checkout-records.ts";
import type { SessionRecord } from "../rules/records.ts";
import type { Caller } from "./caller.ts";
import type { OperationContext } from "./context.ts";

/** What one call of an operation receives; its schemas have read the input. */
export interface OperationCall<O extends Operation> {
  readonly ctx: OperationContext;
  readonly caller: Caller;
  readonly input: Input<O>;
}

/**
 * What a call under an Idempotency-Key receives besides: it is read together with
 * the key.
 */
export interface IdempotentCall<O extends Operation> extends OperationCall<O> {
  readonly cart: Cart;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The data and page fields of an answer. Status, headers and ids are made for each
 * request.
 */
export interface OperationResult {
  /** JSON text of `data`. */
  readonly data: string;
  /** Null when the data is no list. */
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null } | null;
}

/** The operations whose route asks for an Idempotency-Key. */
export type IdempotentOperation = {
  [O in Operation]: Routes[O] extends { readonly idempotent: true } ? O : never;
}[Operation];

/** The operations that are answered without an Idempotency-Key. */
export type PlainOperation = Exclude<Operation, IdempotentOperation>;

export type Handler<O extends PlainOperation> = (
  call: OperationCall<O>,
) => Promise<OperationResult>;

/**
 * Gives back the session to write. The caller writes it in one transaction with the
 * key and the reply, and only then answers.
 */
export type IdempotentHandler<O extends IdempotentOperation> = (
  call: IdempotentCall<O>,
) => Promise<SessionRecord>;
