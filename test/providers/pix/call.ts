import type { Books } from "./books.ts";

export type Json = { readonly [field: string]: unknown };

/** An error that the bank answers with (RFC 7807). */
export class BankFault extends Error {
  readonly status: number;
  readonly body: Json;

  constructor(status: number, kind: string, detail: string, violacoes?: readonly Json[]) {
    super(detail);
    this.status = status;
    this.body = {
      type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
      title: kind,
      status,
      detail,
      ...(violacoes && { violacoes }),
    };
  }
}

export interface Call {
  readonly books: Books;
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** The scope that an operation needs, and what it does. */
export type Operation = readonly [scope: string, run: (call: Call) => Answer];
