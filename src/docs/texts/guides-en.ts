import type { Text } from "../../domain/plural.ts";

/** The texts of the guides, in English. */
export const guidesEnglish = {
  quick_start: "Quick start",
  first_purchase: "First purchase",
  first_webhook: "First webhook",
  sandbox: "Sandbox",
  going_live: "Going live",
  changes: "Changes",
  authentication: "Authentication",

  quick_keys:
    "Ask the store for a pair of **test keys**. A secret test key begins with `hk_test_sec_` and " +
    "stays on your server; a publishable one begins with `hk_test_pub_` and may stand in a web " +
    "page. Test keys move no money. Every sample reads its key from the environment:",
  quick_call: "First call",
  quick_call_text: "This tells which store the key belongs to:",
  quick_call_answer:
    "The answer has the resource in `data`. `livemode` is `false` with a test key, and " +
    "`request_id` is what support asks for.",
  quick_refused: "When it is refused",
  quick_refused_text:
    "An error has a `code` that does not change, the `param` at fault, and a `docs_url` that " +
    "leads to its entry in the [error reference]({errors}). The samples print it and stop.",
  quick_browser: "From a browser",
  quick_browser_text:
    "Use a publishable key, and send it as the query parameter `key` too: the browser asks for " +
    "permission first, and that question carries no `Authorization`.",
  quick_browser_label: "JavaScript: in a page",
  quick_origin:
    "The store registers the page's origin first; with `localhost_origins` it accepts every page " +
    "on localhost for test keys, and sends buyers back there. Where the origin is not " +
    "registered, or the parameter is missing or no key, the browser reports a **CORS error** and " +
    "hides the answer.",
  quick_forms:
    "The forms “Try it” beside the calls do the same with a publishable test key. They keep it " +
    "until the page is left and send it to this API only. A form that creates something is sent " +
    "with this page's own origin, which the store registers like any other.",
  quick_postman: "With Postman",
  quick_postman_text:
    "Import [openapi.json]({openapi}). In the settings of the import choose **Example** for the " +
    "parameters and switch **Enable optional parameters** off. Otherwise Postman sends every " +
    "filter at once, with values that it makes up. Then give the collection a variable " +
    "`bearerToken` with your key.",

  buy_intro:
    "Payment is never taken by your pages. You create a session, the buyer pays on its checkout " +
    "page, and an event tells you.",
  buy_find: "Find a product. Its `id` goes into the session.",
  buy_create:
    "Create the session, with the `id` of your product. A product with `variables` asks for " +
    "these too. Replace `success_url` and `cancel_url` by addresses that are registered with the " +
    "store; `http://localhost` can be, and a test key may use it without where the store has " +
    "`localhost_origins`. `PURCHASE_ID` is a text of your own, one per purchase: repeated with " +
    "the same text, the call answers as it did the first time, so that a lost answer never makes " +
    "two sessions.",
  buy_pay:
    "Open the answer's `checkout_url` in a browser. In test mode the page asks how the payment " +
    "shall end. Choose one of the [outcomes]({sandbox}) and pay.",
  buy_return:
    "You come back to `success_url`, with the session's id in place of `{CHECKOUT_SESSION_ID}`. " +
    "Put that id into the address of this call, and tell the buyer how the payment stands.",
  buy_release:
    "Never release goods on that page: a buyer can open it without having paid, or close the " +
    "browser before it. Release them on `order.paid`.",

  hook_intro:
    "Save this receiver. It needs no package: it checks the signature over the bytes as they " +
    "came, and answers at once.",
  hook_start:
    "Start it with the secret of the endpoint, which the store shows once when it creates the " +
    "endpoint.",
  hook_start_or: "node receiver.mjs   # or: python3 receiver.py",
  hook_reach:
    "Let messages reach it. The store's server sends to public https addresses, so give it the " +
    "address of a tunnel to port 4000. A server on your own machine can be told to send to " +
    "`http://127.0.0.1:4000` with the option `allowTargets`.",
  hook_pay:
    "Pay a session as in the [first purchase]({purchase}). The receiver prints `order.paid`.",
  hook_repeats:
    "A message may come twice and out of order: remember the ids that you have seen, and answer " +
    "2xx to a repeat. Any other answer, or none within 15 seconds, is tried again for more than " +
    "a day.",
  hook_polling:
    "Without a tunnel, [list the events]({events}) instead: they are the same bytes, kept in " +
    "order, at `{address}`.",

  sandbox_intro:
    "The sandbox plays a bank without one. The checkout page of a test session lets you choose " +
    "how the payment ends; a server that submits payments itself sends the name as `outcome`. A " +
    "name that is not in this list is declined.",
  sandbox_outcome: "Outcome",
  sandbox_happens: "What happens",
  sandbox_documents: "Test documents",
  sandbox_documents_text:
    "Where the page asks for a tax id, these have right check digits and belong to tests:",
  sandbox_number: "Number",
  sandbox_kind: "Kind",
  sandbox_orders:
    "Test orders have numbers of their own, never touch live stock and can be deleted together.",

  live_keys: "Use live keys. They begin with `hk_live_`; a test key sees nothing that is live.",
  live_secret:
    "Keep the secret key in your server's environment. One that is seen in a browser is reported.",
  live_origins: "Register your site's origins and return URLs. Live keys take https only.",
  live_webhooks: "Create a webhook endpoint for live mode. Its secret differs from the test one's.",
  live_release:
    "Release goods on `order.paid`, once per event id, and stop delivery on `order.chargeback`.",
  live_idempotency: "Keep one `Idempotency-Key` per purchase, over every retry of it.",
  live_retry: "On 429 and 503 wait as long as `Retry-After` says. Repeat 500 with the same key.",
  live_unknown: "Ignore fields, event types and enum values that you do not know: v1 may add some.",
  live_log: "Write `request_id` to your log. It is what support looks for.",
  live_buy: "Buy something small with a real card or Pix, see your order released, and refund it.",

  changes_intro: "Within v1 things are added and nothing is taken away. Newest first:",
} as const satisfies Readonly<Record<string, Text>>;
