import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { invalidOption } from "#core/input/option-error.ts";
import { type Bank, type BankAccount, createBank } from "./bank.ts";
import { type Connection, type ConnectionOptions, openConnection } from "./connection.ts";
import { type ClientAuthentication, keepTokens, type Tokens } from "./token.ts";

/** An account with a bank. Its parts have the names of the bank's contract. */
export interface PixAccount extends ConnectionOptions {
  /** The client id of OAuth2, as the bank gave it. */
  readonly clientId: string;
  /** Left out when `clientAuthentication` is `certificate`. */
  readonly clientSecret?: string | undefined;
  /** The Pix key (`chave`) to which buyers pay. */
  readonly pixKey: string;
  /** Pix Automático needs it: the account that its charges are paid into (`recebedor`). */
  readonly bankAccount?: BankAccount | undefined;
}

export interface AccountOptions {
  readonly baseUrl: URL;
  readonly tokenUrl: URL;
  readonly clientAuthentication: ClientAuthentication;
  readonly headers: Readonly<Record<string, string>>;
  /** True when charges of Pix Automático are made too. */
  readonly isAutomatic: boolean;
  account(store_id: string): PixAccount | Promise<PixAccount>;
  now(): number;
}

export interface Accounts {
  /**
   * Opens the account of a store, with a token for these scopes. Throws
   * `invalid_option` for an account that cannot be used.
   */
  open(store_id: string, scope?: string): Promise<Bank>;
  /** Forgets all accounts, and closes their connections. */
  close(): void;
}

/** The scopes at the bank that payments and refunds need. */
const paymentScope = "cob.read cob.write pix.read pix.write";
/** The scopes that Pix Automático needs too. */
const automaticRights = "cobr.read cobr.write rec.read rec.write payloadlocationrec.write";
const automaticScope = `${paymentScope} ${automaticRights}`;
/** The most open accounts. When one more is opened, the one that was used longest ago is closed. */
export const maxOpenAccounts = 500;

interface Opened {
  readonly connection: Connection;
  readonly tokens: Tokens;
}

/** Keeps connections and tokens by what they are made of: a new certificate opens new ones. */
export function keepAccounts(options: AccountOptions): Accounts {
  const { baseUrl, headers } = options;
  const opened = new Map<string, Opened>();

  return {
    async open(store_id, scope = options.isAutomatic ? automaticScope : paymentScope) {
      const account = await options.account(store_id);
      const name = fingerprint(account, scope);
      let known = opened.get(name);
      if (!known) {
        checkAccount(account, options.clientAuthentication);
        if (options.isAutomatic) checkBankAccount(account);
        const { clientId, clientSecret = "" } = account;
        const connection = openConnection(account);
        const token = { ...options, clientId, clientSecret, scope };
        known = { connection, tokens: keepTokens(connection, token) };
      }

      const { pixKey, bankAccount } = account;
      // The entry goes to the end, so that the first one was used longest ago.
      opened.delete(name);
      opened.set(name, known);
      closeOldest(opened);
      return createBank({ baseUrl, headers, pixKey, bankAccount, ...known });
    },
    close() {
      for (const { connection } of opened.values()) connection.close();
      opened.clear();
    },
  };
}

function closeOldest(opened: Map<string, Opened>): void {
  if (opened.size <= maxOpenAccounts) return;

  const [oldest] = opened;
  if (!oldest) return;
  opened.delete(oldest[0]);
  oldest[1].connection.close();
}

function fingerprint(account: PixAccount, scope: string): string {
  const { clientId, clientSecret, certificate, key, ca } = account ?? {};
  const parts = [clientId, clientSecret, certificate, key, ca, scope];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

/** Throws `invalid_option` for an account that no bank would take. */
export function checkAccount(account: PixAccount, by: ClientAuthentication): void {
  const secret = by === "certificate" ? [] : (["clientSecret"] as const);
  for (const name of ["clientId", ...secret, "pixKey", "certificate", "key"] as const)
    if (typeof account?.[name] !== "string" || account[name] === "")
      invalidOption("account", `must give ${name}, a text that is not empty`);

  const { certificate, key, pixKey } = account;
  if (pixKey.length > 77) invalidOption("account", "must give a pixKey of at most 77 characters");
  try {
    const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    if (isPair) return;
  } catch {
    invalidOption("account", "must give certificate and key in PEM, the key without a password");
  }
  invalidOption("account", "must give the key that belongs to its certificate");
}

const accountTypes: readonly unknown[] = ["CORRENTE", "POUPANCA", "PAGAMENTO"];

/** Throws `invalid_option` for an account that Pix Automático cannot pay into. */
export function checkBankAccount({ bankAccount }: PixAccount): void {
  const { agencia, conta, tipoConta } = bankAccount ?? {};
  const isText = (text: unknown, longest: number): boolean =>
    typeof text === "string" && text !== "" && text.length <= longest;
  if (isText(conta, 20) && accountTypes.includes(tipoConta))
    if (agencia === undefined || isText(agencia, 4)) return;
  invalidOption(
    "account",
    "must give bankAccount for Pix Automático: { agencia, conta, tipoConta }, as the bank knows it",
  );
}
