import { type Storefront, sandboxGateway } from "vitrine";
import type { WireReply } from "vitrine/node";
import { pixGateway } from "vitrine/pix";
import { type Books, isPayable, receivePix } from "../../test/providers/pix/books.ts";
import { callbackSecret, startFakeBank } from "../../test/providers/pix/fake-bank.ts";
import type { DemoProvider } from "./gateways.ts";
import { html, page } from "./html.ts";

const messagesPath = "/notifications/gateways/pix/test";
const pagePath = "/bank";
const deliverEveryMs = 300;

/**
 * Takes Pix at a fake bank, which has mutual TLS, tokens and messages as a real
 * one, and needs no account. At `/bank` a buyer pays the codes that are open.
 */
export async function openFakeBank(origin: string): Promise<DemoProvider> {
  const bank = await startFakeBank({
    async deliver({ body }) {
      // Banks append `/pix` to the address that they are given.
      const address = `${origin}${messagesPath}/pix?secret=${callbackSecret}`;
      return (await fetch(address, { method: "POST", body })).status;
    },
  });
  const gateway = pixGateway({
    baseUrl: bank.baseUrl,
    account: bank.account(),
    callback: { secret: callbackSecret },
    livemode: false,
  });
  let shop: Storefront | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    gateways: [sandboxGateway(), gateway],
    async start(storefront, store_ids) {
      shop = storefront;
      for (const store_id of store_ids) await offerPix(storefront, store_id);
      timer = setInterval(() => void bank.outbox.deliver(), deliverEveryMs);
    },
    async serve(request) {
      const reply = await shop?.notifications.serve(request);
      if (reply) return reply;

      const [path = "/"] = request.target.split("?", 1);
      if (path !== pagePath && !path.startsWith(`${pagePath}/`)) return null;
      return answerPage(bank.books(), request.method, path.slice(pagePath.length + 1));
    },
    async close() {
      clearInterval(timer);
      await bank.close();
    },
  };
}

/** Answers the buyer's page of the bank. Each open code has a button that pays it. */
function answerPage(books: Books, method: string, txid: string): WireReply {
  const charge = books.charges.get(txid);
  if (method === "POST") {
    if (charge && isPayable(books, charge)) receivePix(books, charge);
    return { status: 303, headers: { location: pagePath }, body: "" };
  }

  const open = [...books.charges.values()].filter((one) => isPayable(books, one));
  const rows = open.map(
    (one) => html`<form method="post" action="${pagePath}/${one.txid}">
<p class="card">${String(one["solicitacaoPagador"])} <button>Pay R$ ${one.valor.original}</button></p></form>`,
  );
  const none = html`<p class="card">No code is open.</p>`;
  const body = page("Fake bank", html`<h1>Fake bank</h1>${rows.length > 0 ? rows : none}`);
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return { status: 200, headers, body: body };
}

async function offerPix({ owner }: Storefront, store_id: string): Promise<void> {
  const name = "Pix (fake bank, pay at /bank)";
  const known = await owner.paymentMethods.list(store_id);
  if (known.some((method) => method.name === name)) return;

  const method = { type: "pix", name, currencies: ["BRL"], gateway: "pix" } as const;
  await owner.paymentMethods.create(store_id, { ...method, position: 10 });
}
