import { untilAborted } from "#core/domain/async/time-box.ts";
import type { Connection } from "./connection.ts";
import { BankRefusal, readJson } from "./problems.ts";
import type { Tokens } from "./token.ts";

// These types name the parts of API Pix 2.9's answers that the gateway reads. A bank
// may leave a field out or write another type, so each field is checked where it is used.

/** A charge (`cobrança imediata`), as `GET /cob/{txid}` shows it. */
export interface Charge {
  readonly txid?: unknown;
  /** `ATIVA`, `CONCLUIDA`, `REMOVIDA_PELO_USUARIO_RECEBEDOR` or `REMOVIDA_PELO_PSP`. */
  readonly status?: unknown;
  readonly calendario?: { readonly criacao?: unknown; readonly expiracao?: unknown };
  readonly valor?: { readonly original?: unknown };
  readonly chave?: unknown;
  readonly pixCopiaECola?: unknown;
  readonly infoAdicionais?: unknown;
  readonly pix?: readonly ReceivedPix[];
}

/** Money that came. */
export interface ReceivedPix {
  readonly endToEndId?: unknown;
  readonly valor?: unknown;
  readonly horario?: unknown;
  readonly devolucoes?: readonly Devolution[];
}

/** Money that goes back (`devolução`). */
export interface Devolution {
  readonly id?: unknown;
  readonly rtrId?: unknown;
  readonly valor?: unknown;
  /** `EM_PROCESSAMENTO`, `DEVOLVIDO` or `NAO_REALIZADO`. */
  readonly status?: unknown;
  readonly natureza?: unknown;
  readonly motivo?: unknown;
}

/** One call to a path below the bank's base address. */
interface Call {
  readonly method: "GET" | "PUT" | "PATCH" | "POST";
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

/** A store's account at its bank. */
export interface Bank {
  readonly pixKey: string;
  /** Charges of Pix Automático are paid into it. */
  readonly bankAccount: BankAccount | undefined;
  /**
   * Gives the answer's JSON, and null for a `GET` of what the bank does not have.
   * Throws `BankRefusal` when the bank has refused the request or the credentials,
   * and any other error when the result is unknown.
   */
  call(call: Call): Promise<unknown>;
}

/** The account behind the Pix key. Its parts have the names of the API. */
export interface BankAccount {
  /** The branch, without its check digit: at most four digits. */
  readonly agencia?: string | undefined;
  /** The number with its check digit, at most 20 characters. */
  readonly conta: string;
  readonly tipoConta: "CORRENTE" | "POUPANCA" | "PAGAMENTO";
}

interface BankOptions extends Pick<Bank, "pixKey" | "bankAccount"> {
  readonly baseUrl: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: Connection;
  readonly tokens: Tokens;
}

/** The statuses by which a bank has judged the request itself. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 409, 410, 415, 422]);

export function createBank(options: BankOptions): Bank {
  const { baseUrl, pixKey, bankAccount, headers, connection, tokens } = options;

  async function send({ method, path, body, signal }: Call) {
    const token = await untilAborted(tokens.get(), signal);
    const request = {
      method,
      url: new URL(path, baseUrl),
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    return { token, answer: await connection.send(request, signal) };
  }

  return {
    pixKey,
    bankAccount,
    async call(call) {
      let { token, answer } = await send(call);
      if (answer.status === 401) {
        tokens.forget(token);
        ({ answer } = await send(call));
      }

      const { status, text } = answer;
      if (call.method === "GET" && status === 404) return null;
      if (refusals.has(status))
        throw new BankRefusal("request", { status, problem: readJson(text) });
      if (status < 200 || status > 299)
        throw new Error(`The bank answered ${status} to ${call.method} ${call.path}.`);

      if (text === "") return {};
      const json = readJson(text);
      if (typeof json !== "object" || json === null)
        throw new Error(`The bank answered ${status} to ${call.method} without a JSON object.`);
      return json;
    },
  };
}

/**
 * Puts an object at a path of the bank, and gives what the bank has there. The bank refuses a
 * repeat, and has the object of the first call; it has none where the refusal stands.
 */
export async function putOrRead<Made>(
  bank: Bank,
  path: string,
  { body, signal }: Pick<Call, "signal"> & { readonly body: object },
): Promise<Made | BankRefusal> {
  try {
    return (await bank.call({ method: "PUT", path, body, signal })) as Made;
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error;
    if (error.of !== "request") return error;
    return ((await bank.call({ method: "GET", path, signal })) as Made | null) ?? error;
  }
}
