import { describe, expect, test } from "vitest";
import { storages } from "../support/storages.ts";
import { acpClient, endpointUrl, examples, judge, versions } from "./acp-client.ts";
import { openAcpShop } from "./acp-shop.ts";
import { totalOf } from "./agent-http.ts";

const payment = {
  payment_data: examples("2026-04-17")["complete_checkout_session_request"].payment_data,
};

describe.each(storages)("an agent that speaks ACP, on %s", (_name, storage) => {
  test.each(versions)("by %s buys from the discovery to the paid order", async (version) => {
    const { shop, send, wanted, pay } = await openAcpShop(await storage(), version);
    const found = await send("GET", "/.well-known/acp.json");
    judge("2026-04-17", "DiscoveryResponse", found.body);
    expect(found.body.api_base_url).toBe(endpointUrl);
    expect(found.body.protocol.supported_versions).toContain(version);

    const made = await send("POST", "/checkout_sessions", wanted());
    expect(made).toMatchObject({
      status: 201,
      body: { status: "requires_escalation", currency: "brl", protocol: { version } },
    });
    const path = `/checkout_sessions/${made.body.id}`;
    const { id } = shop.product;
    const changed = await send("POST", path, {
      line_items: [{ id }, { id }, { id }],
      buyer: { email: "ana@example.com" },
      discounts: { codes: ["NOPE", "SAVE10"] },
    });
    expect(changed.body).toMatchObject({
      buyer: { email: "ana@example.com" },
      line_items: [{ quantity: 3, unit_amount: 1_000 }],
      discounts: {
        applied: [{ code: "SAVE10", amount: 300 }],
        rejected: [{ code: "NOPE", reason: "discount_code_invalid" }],
      },
      messages: [{ type: "warning", param: "$.discounts.codes[0]" }, { type: "error" }],
    });
    expect(totalOf(changed.body.totals, "total")).toBe(2_700);
    expect((await send("GET", path)).body).toMatchObject({ totals: changed.body.totals });

    const early = await send("POST", `${path}/complete`, payment);
    expect(early).toMatchObject({ status: 400, body: { code: "intervention_required" } });
    expect(early.body.message).toContain(changed.body.continue_url);
    await pay(changed.body);

    const { status, body } = await send("POST", `${path}/complete`, payment);
    expect([status, body.status, body.order.order_number]).toEqual([200, "completed", "1"]);
    expect([body.continue_url, body.messages]).toEqual([undefined, []]);
    const order = await shop.get(`/orders/${body.order.id}`, { key: shop.a.test.sec });
    expect(order.body.data).toMatchObject({
      amount_total: 2_700,
      metadata: { acp_agent: "assistant" },
    });
  });

  test("one key is one request: a repeat has the first answer, another body is 422", async () => {
    const { agents, endpoint, send, wanted } = await openAcpShop(await storage());
    const headers = { "idempotency-key": "purchase-1" };
    const ask = (path: string, body: object) => send("POST", path, body, { headers });
    const codes = { discounts: { codes: ["NOPE", "SAVE10"] } };

    const first = await ask("/checkout_sessions", wanted(codes));
    const again = await ask("/checkout_sessions", wanted(codes));
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("idempotency-key")).toBe("purchase-1");
    for (const body of [wanted(), wanted({ ...codes, locale: "pt-BR" })])
      expect(await ask("/checkout_sessions", body)).toMatchObject({
        status: 422,
        body: { type: "invalid_request", code: "idempotency_conflict" },
      });

    const path = `/checkout_sessions/${first.body.id}`;
    const changes = [{ buyer: { email: "ana@example.com" } }, { order_notes: "Ring twice." }];
    const changed = await ask(path, changes[0] as object);
    await send("POST", path, { buyer: { email: "bia@example.com" } });
    expect((await ask(path, changes[0] as object)).body).toEqual(changed.body);
    expect((await ask(path, changes[1] as object)).status).toBe(422);

    const canceled = await ask(`${path}/cancel`, {});
    expect(canceled).toMatchObject({ status: 200, body: { status: "canceled" } });
    expect((await ask(`${path}/cancel`, {})).body).toEqual(canceled.body);
    const other = { intent_trace: { reason_code: "other" } };
    expect((await ask(`${path}/cancel`, other)).status).toBe(422);

    // Another agent's request under the key is another purchase.
    const foreign = acpClient(endpoint, agents.other);
    const theirs = await foreign("POST", "/checkout_sessions", wanted(codes), { headers });
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(first.body.id);
  });

  test("a session that is canceled sells nothing, and is not canceled twice", async () => {
    const { send, create, pay } = await openAcpShop(await storage());
    const made = await create();
    const path = `/checkout_sessions/${made.id}`;
    expect((await send("POST", `${path}/cancel`)).body.status).toBe("canceled");
    await expect(pay(made)).rejects.toMatchObject({ code: "session_expired" });
    expect((await send("GET", path)).body.status).toBe("canceled");
    expect((await send("POST", `${path}/cancel`)).status).toBe(405);
    expect((await send("POST", `${path}/complete`, payment)).status).toBe(409);
    expect((await send("POST", path, { buyer: { email: "a@example.com" } })).status).toBe(409);
  });

  test("requests that come at once under one key make one session", async () => {
    const { send, wanted } = await openAcpShop(await storage());
    const headers = { "idempotency-key": "at-once" };
    const ask = (body = wanted()) => send("POST", "/checkout_sessions", body, { headers });
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask()));

    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const { status, body, headers: told } of answers.filter((each) => !made.includes(each)))
      expect([status, body.code, told.get("retry-after")]).toEqual([
        ...[409, "idempotency_in_flight", "1"],
      ]);
    expect((await ask()).body.id).toBe(made[0]?.body.id);
    expect((await ask(wanted({ locale: "en" }))).status).toBe(422);
  });
});
