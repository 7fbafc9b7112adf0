import { invalidOption, type OptionNames } from "../../input/option-error.ts";
import { checkKind, type OptionKind } from "../../input/option-kinds.ts";
import type { PaymentGateway } from "../../payments/gateway/gateway.ts";
import { hostGateway } from "../../rules/payments/order-attempt.ts";

/** What the parts of a gateway must be where it has them. It may have others of its own. */
const kinds: OptionNames<PaymentGateway, OptionKind> = {
  id: "string",
  livemode: "boolean",
  returnDuplicates: "boolean",
  account: "function",
  provider: "string",
  element: "object",
  methods: "function",
  refusal: "function",
  createPayment: "function",
  saveMethod: "function",
  savedTypes: "list",
  keeps: "function",
  chargeSaved: "function",
  chargeAheadDays: true,
  forgetSaved: "function",
  getAgreement: "function",
  getPayment: "function",
  cancelPayment: "function",
  refund: "function",
  getRefund: "function",
  parseNotification: "function",
  close: "function",
};

function checkParts(gateway: PaymentGateway, index: number): void {
  const name = `gateways[${index}]`;
  const { id, livemode } = gateway;
  if (!id || livemode == null) invalidOption(name, "must have an `id` and a `livemode`");

  for (const part of Object.keys(kinds) as (keyof PaymentGateway)[])
    checkKind(`${name}.${part}`, gateway[part] ?? undefined, kinds[part]);
}

export function readGateways(gateways: readonly PaymentGateway[] = []): readonly PaymentGateway[] {
  if (!Array.isArray(gateways) || gateways.some((gateway) => !gateway?.createPayment))
    invalidOption("gateways", "must be a list of gateways, like [sandboxGateway()]");
  gateways.forEach(checkParts);
  const names = gateways.map((gateway) => `${gateway.id}:${gateway.livemode}`);
  if (new Set(names).size !== names.length)
    invalidOption("gateways", "must not hold two gateways with the same `id` and `livemode`");
  if (gateways.some((gateway) => gateway.id === hostGateway))
    invalidOption("gateways", "must not hold a gateway `host`: it names what your own code took");
  if (gateways.some((gateway) => gateway.id === "sandbox" && gateway.livemode))
    invalidOption("gateways", "must not hold the sandbox in live mode: it moves no money");
  if (gateways.some(hasWrongElement))
    invalidOption(
      "gateways",
      "must not hold an `element` whose `origins` are not like `https://js.example.com`, or whose" +
        " `script` comes from none of its `origins.script`",
    );
  return gateways;
}

/** These go into the Content-Security-Policy of a page, so nothing but an origin may pass. */
const elementOrigin = /^(https:\/\/(\*\.)?[a-z0-9.-]+|http:\/\/(localhost|127\.0\.0\.1))(:\d+)?$/;

/** Tells whether an origin is malformed, or none that may run scripts serves the script. */
function hasWrongElement({ element }: PaymentGateway): boolean {
  if (!element) return false;
  const { script, connect, frame } = element.origins;
  const isOrigin = (origin: string): boolean => elementOrigin.test(origin);
  return (
    ![...script, ...connect, ...frame].every(isOrigin) ||
    !script.some((origin) => element.script.startsWith(`${origin}/`))
  );
}
