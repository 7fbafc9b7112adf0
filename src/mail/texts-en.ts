import type { Text } from "../domain/plural.ts";

export const english = {
  mail_hello: "Hello {name},",
  mail_hello_nobody: "Hello,",
  mail_why: "You get this message because you have bought at {store}.",
  mail_questions: "Questions? Write to {contact}",

  order_confirmation_subject: "Your order #{number} at {store}",
  order_confirmation_title: "Thank you for your order",
  order_confirmation_text: "Your payment of {amount} has arrived. This is what you have bought:",

  receipt_subject: "Receipt #{number} from {store}",
  receipt_title: "Your payment has arrived",
  receipt_text: "You have paid {amount} on {day}:",

  payment_failed_subject: "Your payment to {store} was refused",
  payment_failed_title: "Your payment was refused",
  payment_failed_text: "{amount} for {product} could not be charged.",
  payment_failed_method: "{amount} for {product} could not be charged to {method}.",
  payment_failed_again: "The charge is tried again in the next days. You can also pay now:",
  payment_failed_now: "Please pay now, or choose another way to pay:",
  payment_failed_button: "Pay {amount}",
  payment_failed_until: "This link is yours alone. It works until {time}.",
  payment_failed_ask: "Please ask {store} how to pay.",

  renewal_notice_subject: "Your subscription at {store}",
  renewal_notice_title: "Your subscription has changed",
  renewal_notice_text: "{product} now costs {renewal}. The next payment is on {day}.",
  renewal_notice_paused: "{product} is paused. Nothing is charged until it goes on.",

  upcoming_subject: "Your subscription at {store} is renewed on {day}",
  upcoming_title: "Your subscription is renewed soon",
  upcoming_trial_subject: "Your free trial at {store} ends on {day}",
  upcoming_trial_title: "Your free trial ends soon",
  upcoming_text: "On {day}, {amount} for {product} is charged to {method}.",
  upcoming_nothing: "You need do nothing to keep it. Until then you can end it without a charge.",

  cancellation_subject: "Your subscription at {store} has ended",
  cancellation_title: "Your subscription has ended",
  cancellation_text: "{product} ended on {day}. Nothing more is charged.",

  page_link_subject: "Your purchases at {store}",
  page_link_title: "Your purchases",
  page_link_text: "See your orders and subscriptions at {store}.",
  page_link_all: "See my purchases",
  page_link_button: "See my order",
  page_link_until: "This link is yours alone. It works once, until {time}.",

  refund_subject: "Your refund for order #{number} from {store}",
  refund_title: "Your money is on its way back",
  refund_text:
    "{store} has sent {amount} of your order #{number} back. It can take some days until you see " +
    "it in your account.",
} as const;

/** The texts of all messages in one language. A name in braces is filled in. */
export type MailTexts = Readonly<Record<keyof typeof english, Text>>;
