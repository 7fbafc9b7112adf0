import type { z } from "zod";
import type { PublicErrorCode } from "../contract/errors.ts";
import type { WebhookEvent } from "../contract/events.ts";
import type { Operation } from "../contract/paths.ts";
import type { Input, Page, Routes } from "../contract/routes.ts";

// Everything here derives from the route table and is gone at run time.

/** Values may appear within v1 (CONTRACT 10): a closed list of words becomes an open one. */
export type Open<T> = T extends string
  ? string extends T
    ? T
    : T | (string & {})
  : T extends readonly (infer Each)[]
    ? Open<Each>[]
    : T extends object
      ? { [Name in keyof T]: Open<T[Name]> }
      : T;

type Fields<Part> = Part extends object ? Part : unknown;
/** Path, query and body of an operation, flat. */
export type ClientInput<O extends Operation> = Fields<Input<O>["params"]> & Fields<Input<O>["query"]> & Fields<Input<O>["body"]>;

type Row<O extends Operation> = O extends "listEvents" ? WebhookEvent : Open<z.output<Routes[O]["reply"]["data"]>>;
type IsList<O extends Operation> = Routes[O]["reply"] extends { readonly list: true } ? true : false;

/** A page when awaited; every row of this and the later pages in a `for await`. */
export type Paged<T> = Promise<Page<T>> & AsyncIterable<T>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Of a checkout session; made up when absent, and kept over the call's own retries. Give your own to make retries of yours safe too. */
  readonly idempotencyKey?: string;
  /** The buyer's token for this call. */
  readonly customerToken?: string;
}

type Answer<O extends Operation> = IsList<O> extends true ? Paged<Row<O>> : Promise<Row<O>>;
/** Without required input the call takes none. */
export type Method<O extends Operation> =
  Record<never, never> extends ClientInput<O>
    ? (input?: ClientInput<O>, options?: CallOptions) => Answer<O>
    : (input: ClientInput<O>, options?: CallOptions) => Answer<O>;

export type Client = { readonly [O in Operation]: Method<O> };

/** `network_error`: no answer came; `timeout`: none in time; `invalid_answer`: it was not this API's. */
export type ClientErrorCode = PublicErrorCode | "network_error" | "timeout" | "invalid_answer" | (string & {});
