import { invalidOption, type OptionNames, requireOptions } from "#core/input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "#core/input/option-kinds.ts";
import type {
  AgreementQuery,
  KeptPlan,
  PaymentGateway,
  SavedChargeRequest,
  SavedMethodQuery,
} from "#core/payments/gateway/gateway.ts";
import { checkAccount, checkBankAccount, keepAccounts, type PixAccount } from "./pix/accounts.ts";
import { largestAmount } from "./pix/amounts.ts";
import { agreementOf } from "./pix/automatic/agreements.ts";
import { type AutomaticOptions, readAutomatic } from "./pix/automatic/options.ts";
import {
  cancelRecurrence,
  periodicityOf,
  type Recurrence,
  readRecurrence,
} from "./pix/automatic/recurrences.ts";
import { chargeSaved } from "./pix/automatic/recurring-charges.ts";
import type { RequestedRecurrence } from "./pix/automatic/requested.ts";
import type { RecurrenceRequest } from "./pix/automatic/requests.ts";
import { type CallbackOptions, callbackUrl } from "./pix/callback.ts";
import { cancelPayment, createPayment, getPayment } from "./pix/charges.ts";
import { readMessage } from "./pix/messages.ts";
import { createRefund, getRefund } from "./pix/refunds.ts";
import { type ClientAuthentication, clientAuthentications } from "./pix/token.ts";

export type { PixAccount } from "./pix/accounts.ts";
export type { AutomaticOptions } from "./pix/automatic/options.ts";
export type { RequestedRecurrence } from "./pix/automatic/requested.ts";
export type { PixPayer, RecurrenceRequest } from "./pix/automatic/requests.ts";
export type { BankAccount } from "./pix/bank.ts";
export type { CallbackOptions } from "./pix/callback.ts";
export type { ConnectionOptions } from "./pix/connection.ts";
export type { ClientAuthentication } from "./pix/token.ts";

/** The options of `pixGateway`. */
export interface PixOptions {
  /** The address of the bank's API, with its version: `https://pix.example.com/api/v2/`. */
  readonly baseUrl: string;
  /** The bank gives tokens at this address. It is `/oauth/token` of the same host by default. */
  readonly tokenUrl?: string | undefined;
  /** How the bank checks the client id and secret for a token. Default `basic`. */
  readonly clientAuthentication?: ClientAuthentication | undefined;
  /** The bank wants these headers with every request, such as an application's key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The account with the bank, which is checked at the start. A function
   * gives the account of a store: it is asked at every call, so keep what you read
   * from a vault. A changed certificate or secret is used at the next call.
   */
  readonly account: PixAccount | ((store_id: string) => PixAccount | Promise<PixAccount>);
  readonly callback: CallbackOptions;
  /**
   * Switches Pix Automático on: buyers of a recurring product authorize the later periods with
   * the first payment. Left out, Pix keeps nothing, and the host charges.
   */
  readonly automatic?: AutomaticOptions | undefined;
  /**
   * Hears how a recurrence stands that `requestRecurrence` asked for, whenever a message of the
   * bank names it. The bank sends the message again when this throws.
   */
  readonly onRecurrence?:
    | ((recurrence: RequestedRecurrence, store_id: string) => void | Promise<void>)
    | undefined;
  /** False for the bank's test environment, and true by default. */
  readonly livemode?: boolean | undefined;
  /** Gives the time in epoch milliseconds. It is `Date.now` by default. */
  now?(): number;
}

/** A gateway for Pix, with the calls that a bank's set-up needs. */
export interface PixGateway extends PaymentGateway {
  /**
   * Tells the bank where to send the messages of a store's Pix key, and with `automatic` those of
   * recurrences and recurring charges. Call it once, and after each change of the address, the
   * secret, the key or of `automatic`. `url` is your
   * address that ends in `/gateways/pix/live` or `/gateways/pix/test`. Throws when
   * the bank refuses it.
   */
  registerWebhook(webhook: { readonly store_id: string; readonly url: string }): Promise<void>;
  /**
   * Asks a payer whose account is known, in the app of their bank, to let a subscription be
   * charged by Pix Automático (journey 1 of the Banco Central). Once they accept, the later
   * periods are charged by it, whoever charged them before. A repeat asks them no second time.
   * Throws `invalid_option` for what no bank would take, and when the bank refuses it.
   */
  requestRecurrence(request: RecurrenceRequest): Promise<RequestedRecurrence>;
  /** Looks up how such a request stands. Null means that the bank knows none of this name. */
  findRecurrence(query: RecurrenceName): Promise<RequestedRecurrence | null>;
  /**
   * Takes a request back, and ends the recurrence where it was accepted. Throws `invalid_option`
   * for a recurrence of another subscription.
   */
  withdrawRecurrence(query: RecurrenceWithdrawal): Promise<void>;
}

/** Names a recurrence by the bank's id of it. */
export interface RecurrenceName {
  readonly store_id: string;
  readonly reference: string;
}

/** Names a request that is taken back, with the subscription that it was made for. */
export interface RecurrenceWithdrawal extends RecurrenceName {
  /** The library's id of the subscription: `sub_…`. */
  readonly subscription_id: string;
}

/**
 * Takes Pix at any Brazilian bank that offers API Pix of the Banco Central, over
 * mutual TLS. Buyers pay the code that the checkout page shows. The bank's messages
 * go to `checkout.handleNotification("pix", …)`.
 *
 * Throws `invalid_option` for a wrong option. An account that a function gives is
 * checked when a payment begins.
 */
export function pixGateway(options: PixOptions): PixGateway {
  requireOptions(options, "pixGateway");
  refuseWrongOptions(options, optionKinds);
  const { account, callback, headers = {}, livemode = true } = options;
  const { clientAuthentication = "basic", now = Date.now } = options;
  const baseUrl = httpsUrl("baseUrl", withSlash(options.baseUrl));
  const tokenUrl = httpsUrl("tokenUrl", options.tokenUrl ?? new URL("/oauth/token", baseUrl).href);
  checkOptions(options);
  const automatic = readAutomatic(options.automatic);
  const isAutomatic = automatic !== null;
  if (isAutomatic && typeof account !== "function") checkBankAccount(account);

  const accountOf = typeof account === "function" ? account : () => account;
  const by = { tokenUrl, clientAuthentication, headers, isAutomatic, now };
  const accounts = keepAccounts({ baseUrl, account: accountOf, ...by });
  const charging = () => ({ now: now(), automatic });
  const onRecurrence = async (recurrence: Recurrence, store_id: string): Promise<void> => {
    if (!options.onRecurrence) return;
    const requested = (await import("./pix/automatic/requested.ts")).requestedOf(recurrence);
    if (requested) await options.onRecurrence(requested, store_id);
  };
  const bankOf = ({ store_id }: { readonly store_id: string }) => accounts.open(store_id);

  return {
    id: "pix",
    livemode,
    account: async (store_id) => (await accounts.open(store_id)).pixKey,
    methods: () => [{ type: "pix", name: "Pix" }],
    refusal({ amount, currency, method }) {
      if (currency !== "BRL" || method.type !== "pix") return "currency_mismatch";
      return amount < 1 || amount > largestAmount ? "amount_out_of_range" : null;
    },
    createPayment: async (request) => createPayment(await bankOf(request), request, charging()),
    getPayment: async (query) => getPayment(await bankOf(query), query, charging()),
    cancelPayment: async (query) => cancelPayment(await bankOf(query), query, charging()),
    ...(automatic && {
      chargeAheadDays: automatic.chargeAheadDays,
      keeps: (plan: KeptPlan) => (periodicityOf(plan) === undefined ? "never" : "with_tax_id"),
      chargeSaved: async (request: SavedChargeRequest) =>
        chargeSaved(await bankOf(request), request, now()),
      forgetSaved: async (query: SavedMethodQuery) =>
        cancelRecurrence(await bankOf(query), query.saved_reference, query.signal),
      getAgreement: async ({ store_id, reference, signal }: AgreementQuery) => {
        const found = await readRecurrence(await bankOf({ store_id }), reference, { signal });
        return found && agreementOf(found, { store_id, now: now() });
      },
    }),
    refund: async (request) => createRefund(await bankOf(request), request, now()),
    getRefund: async (query) => getRefund(await bankOf(query), query),
    parseNotification: (message) =>
      readMessage({ callback, isAutomatic, open: accounts.open, now, onRecurrence }, message),
    close: () => accounts.close(),
    async requestRecurrence(request) {
      if (automatic === null)
        return invalidOption("automatic", "is needed for a request: switch it on by `{}`");
      const bank = await accounts.open(request.store_id, requestScope);
      const asking = { automatic, now: now(), signal: AbortSignal.timeout(60_000) };
      return (await loadRequests()).requestRecurrence(bank, request, asking);
    },
    async findRecurrence({ store_id, reference }) {
      const bank = await accounts.open(store_id, requestScope);
      const { findRequested } = await loadRequests();
      return findRequested(bank, reference, AbortSignal.timeout(60_000));
    },
    async withdrawRecurrence(query) {
      const bank = await accounts.open(query.store_id, requestScope);
      const { withdrawRequested } = await loadRequests();
      return withdrawRequested(bank, query, AbortSignal.timeout(60_000));
    },
    async registerWebhook({ store_id, url }) {
      const scope = `webhook.write${isAutomatic ? " webhookrec.write webhookcobr.write" : ""}`;
      const bank = await accounts.open(store_id, scope);
      const body = { webhookUrl: callbackUrl(url, store_id, callback) };
      const ofKey = `webhook/${encodeURIComponent(bank.pixKey)}`;
      for (const path of isAutomatic ? [ofKey, "webhookrec", "webhookcobr"] : [ofKey])
        await bank.call({ method: "PUT", path, body, signal: AbortSignal.timeout(60_000) });
    },
  };
}

/** Requests to payers are loaded at the first one, because few hosts make them. */
const loadRequests = () => import("./pix/automatic/requests.ts");
const requestScope = "rec.read rec.write solicrec.read solicrec.write";

/** `true` stands where a check below has a better sentence. */
const optionKinds: OptionNames<PixOptions, OptionKind> = {
  baseUrl: true,
  tokenUrl: true,
  clientAuthentication: true,
  headers: "object",
  account: true,
  callback: true,
  automatic: "object",
  onRecurrence: "function",
  livemode: true,
  now: "function",
};

const withSlash = (url: unknown): string => `${String(url).replace(/\/+$/, "")}/`;

function httpsUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const hasQuery = name === "baseUrl" && url?.search !== "";
  if (url?.protocol === "https:" && url.username === "" && url.hash === "" && !hasQuery) return url;
  const rule = "must be an https address without a user and without a fragment";
  return invalidOption(name, name === "baseUrl" ? `${rule}, and without a query` : rule);
}

const shortestSecret = 16;

function checkOptions(options: PixOptions): void {
  const { account, callback, clientAuthentication = "basic", livemode = true } = options;
  if (!clientAuthentications.includes(clientAuthentication))
    invalidOption("clientAuthentication", "must be basic, body or certificate");
  if (typeof account !== "function") checkAccount(account, clientAuthentication);
  if (typeof livemode !== "boolean")
    invalidOption("livemode", "must be true for the bank's production environment, else false");

  const given = (callback ?? {}) as { secret?: unknown; mtls?: unknown };
  const { secret, mtls } = given;
  const isSecret = typeof secret === "string" && secret.length >= shortestSecret;
  // A secret decides alone: an empty one beside `mtls` would let every message in.
  const isMtls = !("secret" in given) && typeof mtls === "function";
  if (!isSecret && !isMtls)
    invalidOption(
      "callback",
      `must be { secret } of at least ${shortestSecret} characters, or { mtls } with a function`,
    );
}
