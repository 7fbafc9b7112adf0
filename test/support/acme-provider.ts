import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

// Acme Pay of docs/gateways.md, as a server: payments, refunds and signed messages.

interface Payment {
  readonly id: string;
  readonly key: string;
  readonly asked: string;
  status: "open" | "paid" | "refused" | "canceled";
  readonly amount: number;
  readonly currency: string;
  readonly charge_id: string | null;
  readonly pay_url: string;
  readonly metadata: object;
}

interface Refund {
  readonly id: string;
  readonly key: string;
  readonly status: "done" | "refused";
  readonly charge_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: object;
}

const secret = "acme-secret";
const cards = { "4242": "paid", "4000": "refused", "3220": "open" } as const;

interface Reply {
  readonly status: number;
  readonly body: object;
}
const found = (body: object | undefined): Reply => ({ status: body ? 200 : 404, body: body ?? {} });

function createBooks() {
  const payments: Payment[] = [];
  const refunds: Refund[] = [];

  function pay(key: string, asked: string): Reply {
    const known = payments.find((payment) => payment.key === key);
    if (known) return known.asked === asked ? found(known) : { status: 409, body: {} };

    const { amount, currency, input, metadata } = JSON.parse(asked);
    const status = cards[input.card as keyof typeof cards] ?? "refused";
    const id = `ap_${payments.length + 1}`;
    const charge_id = status === "paid" ? `ch_${payments.length + 1}` : null;
    const pay_url = `https://acme.example.com/pay/${id}`;
    payments.push({ id, key, asked, status, amount, currency, charge_id, pay_url, metadata });
    return found(payments.at(-1));
  }

  function refund(key: string, charge_id: string | null, amount: number, metadata: object): Reply {
    const known = refunds.find((each) => each.key === key);
    const payment = payments.find((each) => each.charge_id === charge_id);
    if (known || !payment) return found(known);

    const sum = refunds
      .filter((each) => each.charge_id === charge_id && each.status === "done")
      .reduce((total, each) => total + each.amount, amount);
    const status = sum <= payment.amount ? "done" : "refused";
    const id = `re_${refunds.length + 1}`;
    const { currency } = payment;
    refunds.push({ id, key, status, charge_id: charge_id ?? "", amount, currency, metadata });
    return found(refunds.at(-1));
  }

  function answer(method: string, path: string, key: string, body: string): Reply {
    const { pathname, searchParams } = new URL(path, "http://acme");
    const [, kind, id, action] = pathname.split("/");
    const rows: readonly (Payment | Refund)[] = kind === "payments" ? payments : refunds;
    if (method === "GET" && id === undefined)
      return found(rows.find((row) => row.key === searchParams.get("key")));
    if (method === "GET") return found(rows.find((row) => row.id === id));
    if (kind === "refunds") {
      const { charge_id, amount, metadata } = JSON.parse(body);
      return refund(key, charge_id, amount, metadata);
    }
    if (action !== "cancel") return pay(key, body);

    const payment = payments.find((each) => each.id === id);
    if (payment?.status === "open") payment.status = "canceled";
    return found(payment);
  }
  return { payments, refund, answer };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** A message of the provider, signed over its bytes. */
export function acmeMessage(fact: object) {
  const body = Buffer.from(JSON.stringify({ id: `msg_${randomUUID()}`, ...fact }));
  const signature = createHmac("sha256", secret).update(body).digest("base64");
  return {
    body: new Uint8Array(body),
    url: "https://shop.example.com/notifications",
    header: (name: string) => (name === "acme-signature" ? signature : undefined),
  };
}

export async function openAcme() {
  const books = createBooks();
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const text = await textOf(request);
    const { status, body } = books.answer(method, url, String(headers["idempotency-key"]), text);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { ...books, access: { url: `http://127.0.0.1:${port}`, key: "sk", secret }, close };
}
