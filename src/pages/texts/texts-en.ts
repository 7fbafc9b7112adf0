import type { CheckoutTexts } from "./text-names.ts";

export const english: CheckoutTexts = {
  pay_store: "Pay {store}",
  order_at_store: "Your order at {store}",
  test_mode: "Test mode. No real money moves.",
  back_to_store: "Back to {store}",
  total: "Total",
  renews_day: "{amount} every day",
  renews_days: {
    one: "{amount} every {count} day",
    other: "{amount} every {count} days",
  },
  renews_week: "{amount} every week",
  renews_weeks: {
    one: "{amount} every {count} week",
    other: "{amount} every {count} weeks",
  },
  renews_month: "{amount} every month",
  renews_months: {
    one: "{amount} every {count} month",
    other: "{amount} every {count} months",
  },
  renews_year: "{amount} every year",
  renews_years: {
    one: "{amount} every {count} year",
    other: "{amount} every {count} years",
  },
  trial: {
    one: "{count} day free, then {renewal}",
    other: "{count} days free, then {renewal}",
  },
  items: { one: "{count} item", other: "{count} items" },
  subtotal: "Subtotal",
  discount: "Discount",
  discount_code: "Discount {code}",

  details_title: "Your details",
  name_label: "Full name",
  email_label: "E-mail",
  tax_id_label: "CPF or CNPJ",
  optional: "optional",
  optional_but_boleto: "needed for a boleto only",
  optional_but_saved: "needed for Pix Automático",
  optional_but_boleto_saved: "needed for a boleto and Pix Automático",
  method_title: "Payment method",
  method_delayed: "Confirmed within 3 business days",
  consent: "You let {store} charge this method by itself until you cancel: {renewal}",
  consent_pix:
    "With this Pix you authorize Pix Automático of {store} at your bank, until you cancel at the " +
    "store or in the app of your bank: {renewal}",
  switch_note: "When you start another payment, we cancel the one that you have begun.",
  pay: "Pay {amount}",
  confirm: "Confirm the order",
  start_trial: "Start the free trial",
  trial_discount: "Free trial",
  trial_used:
    "You have had the free trial of this product already. You can buy it without a trial.",
  trial_leave: "Go on without the trial",
  trial_left:
    "Your order goes on without the free trial: you pay the first period now. " +
    "This is the new total.",
  open_until: "You can pay until {time}.",

  errors_title: "Please correct the following:",
  name_missing: "Enter your full name.",
  email_missing: "Enter your e-mail, for example ana@example.com.",
  email_invalid: "Enter a whole e-mail address, for example ana@example.com.",
  tax_id_missing: "Enter your CPF or CNPJ. A boleto cannot be made without it.",
  tax_id_missing_saved:
    "Enter your CPF or CNPJ. Without it your bank cannot authorize Pix Automático.",
  tax_id_invalid: "Check the number: a CPF has 11 digits, and a CNPJ has 14 characters.",
  cpf_wrong: "There is no such CPF. Check each digit.",
  cnpj_wrong: "There is no such CNPJ. Check each digit.",
  method_missing: "Choose how you want to pay.",
  method_gone: "This method cannot pay the order any more. Choose another one.",
  value_invalid: "Type this again: it holds a character that is not accepted, or it is too long.",

  declined:
    "The payment was declined, and you have not been charged. Try again, or choose another method.",
  declined_funds:
    "There is too little money on the card or account. You have not been charged. Choose " +
    "another one, or another method.",
  declined_limit:
    "The card has reached its limit for now. You have not been charged. Try again tomorrow, " +
    "or choose another method.",
  declined_card_expired:
    "The card has expired. You have not been charged. Use another card, or another method.",
  declined_card_details:
    "Something on the card was typed wrongly. You have not been charged. Check the number, " +
    "the date and the address.",
  declined_security_code:
    "The security code of the card is not right. You have not been charged. Check the digits " +
    "on the card.",
  declined_confirmation:
    "Your bank asked you to confirm the payment, and got no answer. You have not been " +
    "charged. Try again and confirm it with your bank.",
  declined_not_supported:
    "The card does not take payments of this kind. You have not been charged. Use another " +
    "card, or another method.",
  declined_bank:
    "Your bank refused the payment. You have not been charged. Ask your bank, or choose " +
    "another method.",
  declined_later:
    "Your bank could not answer. You have not been charged. Try again in a few minutes.",
  payment_canceled:
    "The payment was canceled, and you have not been charged. You can pay again whenever you like.",
  payment_expired: "The time for that payment is over. You can start another one.",
  payment_error:
    "The payment did not work, and you have not been charged. Try again, or choose another method.",
  not_started:
    "The payment could not be started, and you have not been charged. " +
    "Choose another method, or try again in a few minutes.",
  not_canceled:
    "The payment that you have begun cannot be canceled any more. " +
    "Finish it, or wait until its result is known.",
  not_yet_paid: "We have just asked: the payment is not confirmed yet.",
  no_methods_title: "This order cannot be paid online",
  no_methods_next:
    "The store has no payment method for this amount. You have not been charged. " +
    "Go back to the store to change your order.",

  redirect_title: "Finish your payment",
  redirect_next:
    "The payment is not confirmed yet. If you have paid, wait a moment. " +
    "If you have not, continue to the payment.",
  redirect_button: "Continue to the payment",
  qr_title: "Pay with this code",
  qr_step_open: "Copy the code and open the app of your bank.",
  qr_step_scan: "Choose to pay with Pix and paste the code. Or scan the QR code.",
  qr_step_wait: "Confirm the payment in the app.",
  qr_show: "Show the QR code",
  qr_picture: "QR code of the payment",
  qr_text_label: "Text of the code",
  qr_expired_title: "The code has expired",
  qr_expired_next: "If you have paid, wait a moment. If you have not, make a new code.",
  qr_again: "Make a new code",
  voucher_title: "Pay the boleto",
  voucher_next:
    "Pay this number in the app of your bank or at a bank counter. " +
    "The payment is confirmed within 3 business days.",
  voucher_number_label: "Number to pay",
  voucher_link: "Open the boleto",
  voucher_until: "Pay by {date}.",
  pay_until: "Pay until {time}.",
  time_left: "Time left: {time}",
  copy_code: "Copy the code",
  copy_number: "Copy the number",
  copied: "Copied",
  secret_title: "This method is not available on this page",
  secret_next: "You have not been charged. Choose another payment method, or go back to the store.",
  element_title: "Enter your payment details",
  element_next: "Only the payment provider gets them. The store never sees them.",
  element_loading:
    "The payment form is loading. If it does not appear, pay on the provider's page.",
  element_failed:
    "The payment form could not be loaded, and you have not been charged. " +
    "Pay on the provider's page instead.",
  element_paying: "One moment …",
  element_provider: "Pay on the provider's page",
  pending_title: "Your payment is being processed",
  pending_next: "You have nothing to do, and you must not pay again.",
  waiting: "Waiting for the payment. This page updates by itself.",
  check: "I have paid",
  check_in_test: "Simulate the payment",
  other_method: "Choose another method",
  cancel_payment: "Cancel the payment",

  paid_title: "Payment received",
  paid_next: "Thank you. The store has your order and tells you how it goes on.",
  refunded_title: "Payment returned",
  refunded_next: "This order was paid, and the payment goes back to you.",
  order_number: "Order {number}",
  paid_at: "Paid on {time}",
  what_next_title: "What happens next",
  continue_to_store: "Continue to {store}",
  see_order: "See my order",
  expired_title: "This checkout has expired",
  expired_next:
    "You have not been charged. Go back to the store: your order starts anew there, " +
    "with the prices of now.",
  sold_out_title: "Just sold out",
  sold_out_next:
    "A product of your order is not in stock any more. You have not been charged. " +
    "Go back to the store to change your order.",
  too_many_title: "Too many payments have failed",
  too_many_next:
    "This checkout takes no more payments, and nothing was charged. " +
    "Go back to the store and begin a new checkout.",
  cart_changed: "The cart has changed since you opened this page. Look at it, then pay.",
  too_fast: "Too many payments were sent from your network. Wait a minute, then pay again.",
  sold_out_goods:
    "{goods}: no longer in stock in the quantity of your order. You have not been charged. " +
    "Go back to the store to change your order.",
  sold_out_go_on:
    "{goods}: no longer in stock in the quantity of your order. You have not been charged. " +
    "Go on with the rest, or go back to the store.",
  go_on: "Go on with the rest",
  goods_removed: "Your order goes on without what is sold out. This is the new total.",
  goods_and_coupon_removed:
    "Your order goes on without what is sold out. The coupon does not apply to the rest. " +
    "This is the new total.",
  coupon_label: "Coupon",
  coupon_apply: "Apply",
  coupon_remove: "Remove the coupon",
  coupon_applied: "The coupon applies. This is the new total.",
  coupon_removed: "The coupon was removed. This is the new total.",
  coupon_unknown: "There is no such coupon. Check each letter and digit.",
  coupon_early: "This coupon cannot be used yet.",
  coupon_over: "This coupon has ended.",
  coupon_used_up: "This coupon has been used as often as it may be.",
  coupon_minimum: "This coupon needs goods of at least {amount}.",
  coupon_unfit: "This coupon cannot be used for these goods.",
  coupon_title: "The coupon does not apply any more",
  coupon_next:
    "You have not been charged. Go back to the store to order with another coupon or without one.",
  not_found_title: "There is no such checkout",
  not_found_next:
    "The address is not complete, or it is too old. Open it again from the store where you bought.",
  unavailable_title: "The page is not available for a moment",
  unavailable_next:
    "The fault is ours. If you have just paid, do not pay again: " +
    "open this page again in a minute to see the result.",
  foreign_form_title: "This form was not sent from the checkout page",
  foreign_form_next: "Nothing was done. Open the checkout again and send the form from there.",
  try_again: "Open the checkout again",

  sold_by: "Sold by {name}",
  paid_by: "Payment by {name}",
  support: "Help",
  terms: "Terms",
  privacy: "Privacy",
  outcome_label: "Outcome of the test payment",
  outcome_note: "Only the sandbox shows this choice.",
};
