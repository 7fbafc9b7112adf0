import type { PaymentElement } from "#core/payments/gateway/payment-element.ts";

/**
 * Shows Stripe's Payment Element: https://docs.stripe.com/payments/payment-element. The method
 * `card` brings the form of a card, and Apple Pay or Google Pay on a device that has them. The
 * origins are those of https://docs.stripe.com/security/guide#content-security-policy.
 */
export const stripeElement: PaymentElement = {
  script: "https://js.stripe.com/basil/stripe.js",
  origins: {
    script: ["https://js.stripe.com", "https://*.js.stripe.com"],
    connect: ["https://api.stripe.com"],
    frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  },
  mount: `
async (place, { client_secret, publishable_key, account, locale, return_url, dark, colors }) => {
  const stripe = Stripe(publishable_key, { locale, ...(account && { stripeAccount: account }) });
  const elements = stripe.elements({
    clientSecret: client_secret,
    appearance: {
      theme: dark ? "night" : "stripe",
      variables: {
        colorPrimary: colors.brand,
        colorBackground: colors.paper,
        colorText: colors.ink,
        colorTextSecondary: colors.soft,
        colorDanger: colors.bad,
        fontSizeBase: "16px",
        borderRadius: "8px",
      },
    },
  });
  const element = elements.create("payment");
  await new Promise((ready, fail) => {
    element.on("ready", ready);
    element.on("loaderror", ({ error }) => fail(error));
    element.mount(place);
  });

  const confirm = client_secret.startsWith("seti_") ? "confirmSetup" : "confirmPayment";
  return async () => {
    const confirmParams = { return_url };
    const { error } = await stripe[confirm]({ elements, confirmParams, redirect: "if_required" });
    if (!error) return { status: "ended" };

    const { type, code = "", decline_code } = error;
    if (type === "validation_error") return { status: "typed" };
    if (code.endsWith("_intent_authentication_failure"))
      return { status: "refused", code: "payment_intent_authentication_failure" };
    if (type === "card_error") return { status: "refused", code: decline_code || code };
    // Another page has ended the payment, or its outcome is unknown: the gateway is asked.
    return { status: "ended" };
  };
}`.trim(),
};
