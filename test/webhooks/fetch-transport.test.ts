import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { fetchTransport } from "vitrine/transport/fetch";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const send = (target: string, more: object = {}) =>
  fetchTransport({ allowTargets: [target] }).send({
    url: `${target}/in`,
    headers: { "x-a": "1" },
    body: '{"a":1}',
    timeoutMs: 1_000,
    ...more,
  });

describe("the transport for runtimes without sockets", () => {
  test("posts the bytes, keeps 1 KiB of the answer, and calls any other status a failure of its class", async () => {
    const seen: string[] = [];
    const target = await receiver((req, res) => {
      req.on("data", (chunk) => seen.push(String(chunk)));
      req.on("end", () => res.end("x".repeat(5_000)));
    });
    expect(await send(target)).toMatchObject({
      ok: true,
      status: 200,
      error: null,
      snippet: "x".repeat(1_024),
    });
    expect(seen).toEqual(['{"a":1}']);
    for (const [status, error] of [
      [204, null],
      [410, "http_status"],
      [500, "http_status"],
      [302, "redirect"],
    ] as const) {
      const other = await receiver((_req, res) =>
        res.writeHead(status, status === 302 ? { location: "/x" } : {}).end(),
      );
      expect(await send(other)).toMatchObject({ ok: error === null, error });
    }
  });

  test("keeps the deadline and the abort, whatever the receiver does", async () => {
    const silent = await receiver(() => {});
    expect(await send(silent, { timeoutMs: 100 })).toMatchObject({
      ok: false,
      status: null,
      error: "timeout",
    });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    expect(await send(silent, { signal: stop.signal })).toMatchObject({
      ok: false,
      error: "aborted",
    });
    const endless = await receiver((_req, res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write("x"), 10);
      res.on("close", () => clearInterval(timer));
    });
    const sent = await send(endless, { timeoutMs: 10_000 });
    expect(sent).toMatchObject({ ok: true, status: 200 });
    expect(sent.duration_ms).toBeLessThan(5_000);
    expect(await send(await receiver((req) => void req.socket.destroy()))).toMatchObject({
      ok: false,
      error: "connection_reset",
    });
  });

  test("judges the URL, and the addresses of its name where it can resolve them, before anything is fetched", async () => {
    const fetched: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      fetched.push(url);
      return new Response(null, { status: 204 });
    };
    const post = { headers: {}, body: "", timeoutMs: 1_000 };
    const blind = fetchTransport({ fetch });
    for (const url of [
      "http://a.merchant.com/",
      "https://127.0.0.1/",
      "https://localhost/",
      "https://169.254.169.254/",
    ]) {
      expect(await blind.send({ ...post, url })).toMatchObject({
        ok: false,
        error: "ssrf_blocked",
      });
      expect((await blind.check(url)).ok).toBe(false);
    }
    const inside = fetchTransport({ fetch, resolve: async () => ["93.184.216.34", "10.0.0.1"] });
    expect(await inside.send({ ...post, url: "https://a.merchant.com/" })).toMatchObject({
      error: "ssrf_blocked",
    });
    expect(await inside.check("https://a.merchant.com/")).toMatchObject({ ok: false });
    const nowhere = fetchTransport({ fetch, resolve: async () => [] });
    expect(await nowhere.send({ ...post, url: "https://a.merchant.com/" })).toMatchObject({
      error: "dns_error",
    });
    const hangs = fetchTransport({ fetch, resolve: () => new Promise(() => {}) });
    expect(
      await hangs.send({ ...post, url: "https://a.merchant.com/", timeoutMs: 50 }),
    ).toMatchObject({ error: "timeout" });
    const target = "http://metadata.google.internal";
    const allowed = { fetch, allowTargets: [target] };
    const metadata = fetchTransport({ ...allowed, resolve: async () => ["169.254.169.254"] });
    expect(await metadata.send({ ...post, url: `${target}/` })).toMatchObject({
      error: "ssrf_blocked",
    });
    expect((await metadata.check(`${target}/`)).ok).toBe(false);
    expect(fetched).toEqual([]);
    const local = fetchTransport({
      ...allowed,
      resolve: async () => Promise.reject(new Error("no such name")),
    });
    expect(await local.send({ ...post, url: `${target}/` })).toMatchObject({ ok: true });
    fetched.length = 0;
    const open = fetchTransport({ fetch, resolve: async () => ["93.184.216.34"] });
    expect(await open.send({ ...post, url: "https://a.merchant.com/" })).toMatchObject({
      ok: true,
      status: 204,
    });
    expect(await open.check("https://a.merchant.com/")).toEqual({ ok: true });
  });
});
