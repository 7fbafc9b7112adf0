/** Says what is wrong with a form or a request, and what the pages without a screen say. */
export const faultsEnglish = {
  faults_title: "Please correct the following:",
  fault_missing: "Fill this in.",
  fault_picture_type: "This is not a PNG, JPEG, WebP, GIF or AVIF. Choose another file.",
  fault_picture_large: "The picture is larger than 5 MB. Choose a smaller one.",
  fault_picture_failed: "The picture could not be stored. Choose it again in a moment.",
  fault_file_large: "The file is larger than 30 MB. Choose a smaller one.",
  fault_file_failed: "The file could not be stored. Choose it again in a moment.",
  fault_taken: "This is taken already. Choose another one.",
  fault_long: {
    one: "Use {count} character at most.",
    other: "Use {count} characters at most.",
  },
  fault_many: {
    one: "Use {count} entry at most.",
    other: "Use {count} entries at most.",
  },
  fault_small: "The minimum is {bound}.",
  fault_large: "The maximum is {bound}.",
  fault_email: "Enter a whole e-mail address, for example ana@example.com.",
  fault_slug: "Use lower-case letters, digits and hyphens only.",
  fault_percentage: "Enter a percentage above 0 and at most 100, with two decimals at most.",
  fault_clock: "It must be later than the time of the test mode.",
  fault_clock_far: {
    one: "The clock can be at most {count} day ahead of today.",
    other: "The clock can be at most {count} days ahead of today.",
  },
  fault_order: "The end must be after the beginning.",
  fault_ancestor: "A category cannot be below itself.",
  fault_origin: "Enter an origin such as https://shop.example.com, without a path.",
  fault_return_url: "Enter an address such as https://shop.example.com/thanks, without a query.",
  fault_category_empty: "This category has no product yet.",
  fault_time: "Enter a date and a time.",
  fault_number: "Enter a number.",
  fault_amount: "Enter an amount such as 98.00.",
  fault_amount_unclear:
    "This can be read in two ways. Type it without signs between thousands, such as 1234.00.",
  fault_currency: "This names another currency. Type only the number, such as 98.00.",
  fault_event_types: "Choose at least one event, or all.",
  fault_rights: "Choose at least one action.",
  fault_endpoint_off: "The endpoint is off or gone. Enable it first.",
  fault_event_pruned: "The event is too old: its content was deleted, so nothing is left to send.",
  fault_refund_large: "This is more than what is left of the payment.",
  fault_refund_unpaid: "Only a paid order can be refunded.",
  fault_refund_gateway:
    "The gateway that took this payment is not set up here, or cannot send money back. If you " +
    "have sent it yourself, tick the box below.",
  fault_refund_reference: "A refund of another amount has this ID.",
  fault_order_ended: "Only an order that waits for its payment can be canceled.",
  fault_return_gateway:
    "The gateway that took this payment is not set up here, or cannot send money back.",
  fault_return_failed: "The gateway did not send the money back. Look at the alerts.",
  fault_return_booked: "This payment pays its order. Refund the order instead.",
  fault_url_name:
    "No public address has this name. Check the spelling, or wait until the name is set up.",
  fault_url_target: "Use an https:// address that everyone can reach, on port 443.",
  fault_other: "Not accepted. {reason}",
  switch_changed:
    "Someone else has changed it since you opened this list. Nothing was saved: look at it " +
    "below, and try again.",
  form_changed:
    "Someone else has changed this since you opened it. Nothing was saved yet: what they have " +
    "changed is shown below together with yours. Look at it, and save again.",
  fault_contested: "Someone else has changed this too. Saving again replaces it.",
  fault_contested_by: "Someone else has changed it to: {value}. Saving again replaces it.",
  signed_out_title: "You are not signed in",
  signed_out_next: "Sign in on the site of whoever runs this store, then open the dashboard again.",
  fault_above: "This is more than you may do yourself.",
  sign_in_title: "Sign in",
  sign_in_lead: "Sign in with the passkey that you keep on your phone, computer or security key.",
  sign_in_passkey: "Sign in with a passkey",
  sign_in_else: "No passkey yet? Ask whoever runs this store to invite you by a link.",
  sign_in_refused:
    "That passkey was not accepted. Try again; if it goes on, ask whoever runs this store for a " +
    "new link.",
  passkey_script: "Passkeys need JavaScript. Turn it on, and reload this page.",
  passkey_fault: "Nothing was done: the browser has no passkey for this site, or was stopped.",
  too_many_title: "Too many tries",
  too_many_next: "Nothing was done. Wait a minute, and try again.",
  signed_out_links_title: "You are not signed in",
  signed_out_links_next:
    "Ask whoever runs this store for a new link. A link signs in once, and a session " +
    "lasts 12 hours.",
  forbidden_title: "You may not do this",
  forbidden_next: "Nothing was done. Ask whoever runs this store for the right to do it.",
  foreign_form_title: "This form was not sent from the dashboard",
  foreign_form_next: "Nothing was done. Open the dashboard and send the form from there.",
  foreign_download_title: "This file was not asked for by you",
  foreign_download_next:
    "A picture or another site has asked for it. Nothing was exported. Use Export on the list.",
  form_expired_title: "This form is too old",
  form_expired_next: "Nothing was done. Go back, reload the page and send the form again.",
  form_expired_again:
    "This form was too old, so nothing was done. Look at it once more and send it again.",
  form_repeated_title: "Already done",
  form_repeated_next: "This form was sent before, so nothing was done a second time.",
  gone_title: "This is gone",
  gone_next: "Someone else has deleted it since you opened it. Nothing was saved.",
  typed_title: "What you have typed",
  typed_text: "Copy what you still need before you leave this page.",
  not_found_title: "There is nothing here",
  not_found_next: "The address is wrong, or what it named is gone, or it is out of your reach.",
  method_not_allowed_title: "This cannot be done",
  method_not_allowed_next: "Open the dashboard in a browser.",
  too_large_title: "This form is too large",
  too_large_next: "Nothing was done. Go back, and shorten the texts or choose a smaller file.",
  unreadable_title: "This form did not arrive whole",
  unreadable_next: "Nothing was done. Go back and send the form again.",
  failed_title: "Something went wrong",
  failed_next:
    "The fault is ours. If you have just sent a form, look whether it was done before " +
    "you send it again.",
  unavailable_title: "Not available for a moment",
  unavailable_next: "The database does not answer. Try again in a minute.",
  link_spent_title: "This link is used up",
  link_spent_next:
    "A link signs in once and lasts a short time. Ask whoever runs this store for a new one.",
  link_not_needed_title: "You are signed in already",
  link_not_needed_next: "You do not need this link. To use it, sign out of your own account first.",
  link_title: "Open the dashboard",
  link_lead: "This link signs you in as {actor}, for the store {store}.",
  link_replaces:
    "You are signed in as {actor}. That session ends. The links made in it end too, and the " +
    "sessions that they opened.",
  link_replaces_person: "You are signed in as {actor}. That session ends.",
  link_keeps:
    "You are signed in as {actor}. That session stays open, because this link comes from it.",
  link_button: "Sign in",
};
