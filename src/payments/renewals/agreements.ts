import { ApiError, fail } from "../../contract/errors.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import { check, checkId } from "../../input/check.ts";
import type { SavedMethodRecord } from "../../rules/payments/payment-records.ts";
import type { MethodTaken } from "../../rules/subscriptions/methods/agreement.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import { takeAgreed } from "../../steps/agreement-steps.ts";
import { noteMethodGone } from "../../steps/subscription-steps.ts";
import { eventIds, type PaymentContext } from "../context.ts";
import { findGateway } from "../gateway/find-gateway.ts";
import { askGateway } from "../gateway/gateway-calls.ts";
import type { Agreement, AgreementFact, GatewayNotification } from "../gateway/gateway-results.ts";
import { readFact } from "../gateway/read-fact.ts";
import { AgreementInput } from "../inputs.ts";
import type { AgreementOutcome } from "../subscriptions.ts";

interface Sender {
  readonly gateway: string;
  readonly livemode: boolean;
  readonly account: string | null;
}

/** What became of the fact. `ignored` means that the subscription is not known here. */
interface AgreementApplied {
  readonly outcome: "applied" | "unchanged" | "ignored";
  readonly order_id: null;
}

/** Applies what a message tells of an agreement. */
export async function applyAgreementFact(
  ctx: PaymentContext,
  { gateway, livemode }: Omit<Sender, "account">,
  { account = null, ...agreement }: AgreementFact & Pick<GatewayNotification, "account">,
): Promise<AgreementApplied> {
  const outcome = await apply(ctx, { gateway, livemode, account }, agreement);
  // The provider sends its message again, and then the period is paid.
  if (outcome === "period_open") throw new ApiError("service_unavailable");
  if (outcome === "unknown_subscription") return { outcome: "ignored", order_id: null };
  return { outcome: outcome === "unchanged" ? "unchanged" : "applied", order_id: null };
}

/** Asks the gateway about an agreement, and applies what it says. */
export async function followAgreement(
  ctx: PaymentContext,
  subscription_id: string,
  input: AgreementInput,
): Promise<AgreementOutcome> {
  const { gateway: name, reference, ...partition } = check(AgreementInput, input);
  const id = checkId("subscription_id", subscription_id);
  const { store_id, livemode } = partition;
  const find = async () =>
    (await ctx.storage.orders.find("subscription", partition, id)) ?? fail("resource_not_found");
  await find();

  const gateway = findGateway(ctx, name, livemode);
  const look = gateway?.getAgreement?.bind(gateway);
  if (!gateway || !look)
    return fail("parameter_invalid", {
      param: "gateway",
      message: `gateway must be one of this mode that has agreements: ${name} is not.`,
    });
  const account = (await gateway.account?.(store_id)) ?? null;
  const answer = await askGateway(ctx, gateway, {
    subject: id,
    ask: (signal) => look({ store_id, account, reference, signal }),
  });
  if (answer === null) return fail("service_unavailable");
  const found = answer.value;
  if (found) readFact(name, { ...found, type: "agreement", notification_id: id });
  if (found?.subscription_id !== id) return fail("resource_not_found");

  const outcome = await apply(ctx, { gateway: name, livemode, account }, { ...found, store_id });
  if (outcome === "period_open")
    return fail("invalid_transition", {
      message: "The next period is being paid: ask again once it is paid.",
    });
  if (found.status === "active" && outcome === "to_forget")
    return fail("invalid_transition", { message: "The subscription has ended." });
  if (outcome === "other_amount")
    return fail("invalid_transition", {
      message:
        "The buyer agreed to another amount than the subscription costs: ask the buyer again.",
    });
  const subscription = await find();
  // The step leaves no entry of its own: how a subscription is charged changes in every period.
  if (outcome === "taken")
    await ctx.storage.audit.note({
      kind: "action",
      ...partition,
      subject: { type: "subscription", id },
      before: null,
      after: { payment_method_type: subscription.payment_method_type },
    });
  return { status: found.status, subscription: renderSubscription(subscription) };
}

/** Takes an agreement that is active, and stops the charges of one that is over. */
async function apply(
  ctx: PaymentContext,
  sender: Sender,
  agreement: Agreement,
): Promise<MethodTaken["outcome"] | "stopped"> {
  const { store_id, subscription_id, status, amount, saved_method } = agreement;
  const { gateway, livemode, account } = sender;
  if (status === "pending") return "unchanged";

  const { orders } = ctx.storage;
  const partition = { store_id, livemode };
  const known = await orders.find("subscription", partition, subscription_id);
  if (!known) return "unknown_subscription";

  const attempt_id = await nameOf(gateway, account, saved_method.reference);
  const command = { ...partition, subscription_id, ids: eventIds(ctx), now: ctx.now() };
  const { outcome } =
    status === "over"
      ? await noteMethodGone(orders, { ...command, attempt_id })
      : await takeAgreed(orders, {
          ...command,
          period_start: known.current_period_end,
          amount,
          saved: await savedBy(ctx, sender, { agreement, attempt_id }),
        });
  if (outcome === "taken" || outcome === "stopped") ctx.committed(partition);
  return outcome;
}

/**
 * No attempt has saved the method, so a digest of its names stands in the attempt's place: the same
 * agreement has the same one, and nobody reads the reference from it.
 */
const nameOf = async (...names: readonly (string | null)[]): Promise<string> =>
  `agreed_${(await sha256(JSON.stringify(names), "hex")).slice(0, 32)}`;

interface Agreed {
  readonly agreement: Agreement;
  readonly attempt_id: string;
}

async function savedBy(
  ctx: PaymentContext,
  { gateway, livemode, account }: Sender,
  { agreement: { store_id, saved_method, consent }, attempt_id }: Agreed,
): Promise<SavedMethodRecord> {
  const { reference, kind, label, expires_at = null } = saved_method;
  const methods = await ctx.storage.catalog.listPaymentMethods(store_id);
  const own = methods.filter((method) => method.gateway === gateway);
  const method = own.find(({ type }) => type === kind) ?? own[0];
  if (!method)
    return fail("gateway_error", {
      message: `The store has no payment method of the gateway ${gateway}: create one.`,
    });

  const charge_ahead_days = findGateway(ctx, gateway, livemode)?.chargeAheadDays;
  return {
    attempt_id,
    ...{ gateway, account },
    method: { id: method.id, type: method.type },
    sealed_reference: await ctx.keyRing.seal(reference, attempt_id),
    ...{ kind, label, expires_at, consent },
    ...(charge_ahead_days !== undefined && { charge_ahead_days }),
  };
}
