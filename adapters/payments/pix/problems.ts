/** A bank writes this about an error (RFC 7807). Every field may be missing. */
interface Problem {
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
  readonly violacoes?: unknown;
}

/** The bank has judged a request and done nothing. Any other error leaves the result open. */
export class BankRefusal extends Error {
  /** Says `token` when the bank refused the credentials, and the request itself was not sent. */
  readonly of: "token" | "request";
  readonly status: number;
  /** The fields that the bank names as wrong, e.g. `cob.devedor.cpf`. */
  readonly fields: readonly string[];

  constructor(
    of: "token" | "request",
    { status, problem }: { readonly status: number; readonly problem: unknown },
  ) {
    super(`The bank answered ${status}: ${wordsOf(problem)}`);
    this.of = of;
    this.status = status;
    this.fields = violationsOf(problem).flatMap((violation) =>
      typeof violation?.propriedade === "string" ? [violation.propriedade] : [],
    );
  }
}

interface Violation {
  readonly razao?: unknown;
  readonly propriedade?: unknown;
}

function violationsOf(problem: unknown): readonly (Violation | null)[] {
  const { violacoes } = (problem ?? {}) as Problem;
  return Array.isArray(violacoes) ? violacoes : [];
}

function wordsOf(problem: unknown): string {
  const { title, detail, error, error_description } = (problem ?? {}) as Problem;
  const reasons = violationsOf(problem).map((violation) => violation?.razao);
  const words = [title, detail, error, error_description, ...reasons].filter(
    (text) => typeof text === "string" && text !== "",
  );
  return words.length > 0 ? words.join(" ").slice(0, 500) : "without a reason";
}

/** Reads JSON. It gives null for text that is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
