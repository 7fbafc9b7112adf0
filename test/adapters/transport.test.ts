import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { type NodeTransportOptions, nodeTransport } from "vitrine/transport";

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});
async function listen<S extends Server>(server: S): Promise<string> {
  servers.push(server);
  server.on("connection", (socket: Socket) =>
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => {})),
  );
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return String((server.address() as AddressInfo).port);
}
const http = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(listener))}`;
const allowed = (target: string, options: NodeTransportOptions = {}) =>
  nodeTransport({ allowTargets: [target], warn: () => {}, ...options });
const post = (target: string, more: object = {}) =>
  allowed(target).send({
    url: `${target}/in`,
    headers: { "content-type": "application/json" },
    body: '{"a":"é"}',
    timeoutMs: 1_000,
    ...more,
  });
// Reads what comes, or the end of the other side would never be seen.
const raw = async (answer: (socket: Socket) => void) =>
  `http://127.0.0.1:${await listen(createTcpServer((socket) => answer(socket.resume())))}`;

describe("one attempt over node:http", () => {
  test("posts the bytes with their length, asks for no encoding, and keeps 1 KiB of the answer", async () => {
    const seen: { headers?: object; body?: string; method?: string | undefined } = {};
    const target = await http((req, res) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk) => chunks.push(chunk));
      req.on("end", () => {
        Object.assign(seen, {
          headers: req.headers,
          body: Buffer.concat(chunks).toString(),
          method: req.method,
        });
        res.end("x".repeat(5_000));
      });
    });
    const sent = await post(target);
    expect(sent).toMatchObject({ ok: true, status: 200, error: null });
    expect(sent.snippet).toBe("x".repeat(1_024));
    expect(seen).toMatchObject({
      method: "POST",
      body: '{"a":"é"}',
      headers: { "accept-encoding": "identity", "content-length": "10", host: target.slice(7) },
    });
  });

  test("any other status is a failure of its class; a redirect is never followed", async () => {
    let calls = 0;
    const target = await http((req, res) => {
      calls += 1;
      const status = Number(req.url?.slice(1));
      res.writeHead(status, status >= 300 && status < 400 ? { location: "/200" } : {}).end();
    });
    const transport = allowed(target);
    for (const [status, error] of [
      [204, null],
      [301, "redirect"],
      [302, "redirect"],
      [307, "redirect"],
      [308, "redirect"],
      [400, "http_status"],
      [410, "http_status"],
      [500, "http_status"],
    ] as const) {
      expect(
        await transport.send({
          url: `${target}/${status}`,
          headers: {},
          body: "",
          timeoutMs: 1_000,
        }),
      ).toMatchObject({
        ok: error === null,
        status,
        error,
      });
    }
    expect(calls).toBe(8);
  });

  test("one deadline holds from DNS to headers, whatever the receiver does", async () => {
    const silent = await raw(() => {});
    const drip = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x-a: 1\r\n"), 50);
      socket.on("close", () => clearInterval(timer));
    });
    for (const target of [silent, drip]) {
      const sent = await post(target, { timeoutMs: 300 });
      expect(sent).toMatchObject({ ok: false, status: null, error: "timeout" });
      expect(sent.duration_ms).toBeGreaterThanOrEqual(295);
      expect(sent.duration_ms).toBeLessThan(3_000);
    }
    const slowDns = nodeTransport({ resolve: () => new Promise(() => {}) });
    expect(
      await slowDns.send({
        url: "https://slow.merchant-example.com/",
        headers: {},
        body: "",
        timeoutMs: 200,
      }),
    ).toMatchObject({
      error: "timeout",
    });
  });

  test("2xx headers mean delivered: an endless body costs a second at most, a bomb is never unpacked", async () => {
    const endless = await http((_req, res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write("x".repeat(100)), 20);
      res.on("close", () => clearInterval(timer));
    });
    const sent = await post(endless, { timeoutMs: 5_000 });
    expect(sent).toMatchObject({ ok: true, status: 200 });
    expect(sent.duration_ms).toBeLessThan(3_000);
    const flood = await http((_req, res) => {
      res.writeHead(200, { "content-encoding": "gzip" });
      const chunk = Buffer.alloc(65_536);
      const pump = (): void => {
        while (!res.destroyed && res.write(chunk));
        if (!res.destroyed) res.once("drain", pump);
      };
      pump();
    });
    expect((await post(flood)).duration_ms).toBeLessThan(3_000);
  });

  test("resets, refusals, garbage and huge headers are failures, never throws", async () => {
    const reset = await raw((socket) => socket.resetAndDestroy());
    expect(await post(reset)).toMatchObject({ ok: false, error: "connection_reset" });
    expect(await post(await raw((socket) => socket.end("not http\r\n\r\n")))).toMatchObject({
      ok: false,
      error: "connection_reset",
    });
    expect(
      await post(
        await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_000_000)}\r\n\r\n`)),
      ),
    ).toMatchObject({
      ok: false,
      error: "connection_reset",
    });
    const gone = await raw(() => {});
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
    expect(await post(gone)).toMatchObject({ ok: false, error: "connect_refused" });
  });

  test("an abort ends the attempt with its class", async () => {
    const target = await raw(() => {});
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    expect(await post(target, { signal: stop.signal })).toMatchObject({
      ok: false,
      error: "aborted",
    });
    expect(await post(target, { signal: AbortSignal.abort() })).toMatchObject({
      ok: false,
      error: "aborted",
    });
  });

  test("proxies of the environment are ignored", async () => {
    let proxied = 0;
    const proxy = await http((_req, res) => {
      proxied += 1;
      res.end();
    });
    Object.assign(process.env, {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      http_proxy: proxy,
      NODE_USE_ENV_PROXY: "1",
    });
    try {
      expect((await post(await http((_req, res) => void res.end("direct")))).snippet).toBe(
        "direct",
      );
      expect(proxied).toBe(0);
    } finally {
      for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "NODE_USE_ENV_PROXY"])
        delete process.env[name];
    }
  });

  test("three hundred bad receivers leave no socket behind", async () => {
    const target = await raw((socket) =>
      Math.random() < 0.5
        ? socket.destroy()
        : socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"),
    );
    const transport = allowed(target);
    await Promise.all(
      Array.from({ length: 300 }, () =>
        transport.send({ url: `${target}/`, headers: {}, body: "", timeoutMs: 2_000 }),
      ),
    );
    transport.close();
    await expect.poll(() => sockets.size).toBe(0);
  });

  // `.ci/run` asks ten thousand.
  const bad = Number(process.env["BAD_RECEIVERS"] ?? 3_000);
  test(`${bad} bad receivers of every kind leave no socket, no timer and no memory behind`, {
    timeout: 120_000,
  }, async () => {
    const junk = Buffer.alloc(65_536, "x");
    const kinds: readonly ((socket: Socket) => void)[] = [
      (socket) => void socket.destroy(),
      (socket) => void socket.resetAndDestroy(),
      () => {}, // never answers
      (socket) => void socket.end("not http\r\n\r\n"),
      (socket) => void socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(50_000)}\r\n\r\n`),
      (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"),
      (socket) =>
        void socket.end(
          "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
        ),
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n");
        for (let turn = 0; turn < 8; turn += 1) socket.write(junk);
      },
    ];
    let turn = 0;
    const target = await raw((socket) => kinds[turn++ % kinds.length]?.(socket));
    const transport = allowed(target);
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const used = (): number => {
      collect();
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      return heapUsed + external + arrayBuffers;
    };
    const open = (): number =>
      process.getActiveResourcesInfo().filter((name) => /TCPSocket|Timeout/.test(name)).length;
    const round = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          transport.send({ url: `${target}/`, headers: {}, body: "", timeoutMs: 500 }),
        ),
      );
    await round(500);
    const before = { open: open(), used: used() };
    for (let asked = 0; asked < bad; asked += 500) {
      for (const sent of await round(500)) if (!sent.ok) expect(sent.error).not.toBeNull();
    }
    transport.close();
    for (const socket of sockets) socket.destroy();
    await expect.poll(open).toBeLessThanOrEqual(before.open);
    // Buffers are given back a little later than the objects that held them.
    await expect.poll(() => used() - before.used).toBeLessThan(8_000_000);
  });

  test("an allowed target opens its own origin alone, and never a metadata address", async () => {
    const warnings: string[] = [];
    const transport = nodeTransport({
      allowTargets: ["http://127.0.0.1:4242", "http://169.254.169.254"],
      warn: (message) => warnings.push(message),
    });
    expect(warnings).toHaveLength(1);
    expect((await transport.check("http://127.0.0.1:4242/hook")).ok).toBe(true);
    for (const url of [
      "http://127.0.0.1:4243/",
      "https://127.0.0.1:4242/",
      "http://127.0.0.1/",
      "http://169.254.169.254/latest",
    ])
      expect((await transport.check(url)).ok).toBe(false);
  });
});

describe("TLS", () => {
  const read = (name: string): string =>
    readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
  const host = "hooks.merchant-example.com";
  const secure = async (name: string, trust = true, ca = "ca.pem") => {
    const port = await listen(
      createTlsServer(
        { key: read(`${name}.key`), cert: read(`${name}.pem`) },
        (req, res) => void res.end(req.headers.host),
      ),
    );
    const target = `https://${host}:${port}`;
    // The name is public, its address the test's own server: what the system's resolver would say is replaced beyond the machine.
    return {
      target,
      transport: (await import("../support/tls-transport.ts")).tlsTransport(
        target,
        trust ? read(ca) : undefined,
      ),
    };
  };

  test("a certificate of the name is taken, and the name is what was sent", async () => {
    const { target, transport } = await secure("good");
    expect(
      await transport.send({ url: `${target}/in`, headers: {}, body: "{}", timeoutMs: 2_000 }),
    ).toMatchObject({
      ok: true,
      status: 200,
      snippet: target.slice(8),
    });
  });

  test("another name, a stranger's CA, or a self-signed certificate is tls_error, and nothing is sent in clear", async () => {
    for (const [name, trust] of [
      ["other", true],
      ["good", false],
      ["self", true],
    ] as const) {
      const { target, transport } = await secure(name, trust);
      expect(
        await transport.send({ url: `${target}/in`, headers: {}, body: "{}", timeoutMs: 2_000 }),
        name,
      ).toMatchObject({
        ok: false,
        error: "tls_error",
      });
    }
  });

  test("a certificate that has expired is tls_error, though its CA is trusted", async () => {
    const { target, transport } = await secure("expired", true, "expired-ca.pem");
    expect(
      await transport.send({ url: `${target}/in`, headers: {}, body: "{}", timeoutMs: 2_000 }),
    ).toMatchObject({ error: "tls_error" });
  });

  test("a receiver that does not speak TLS, or hangs up in the handshake, is tls_error", async () => {
    const got: string[] = [];
    for (const answer of [
      (socket: Socket) => void socket.destroy(),
      (socket: Socket) =>
        void socket
          .on("data", (data) => got.push(data.toString("latin1")))
          .end("HTTP/1.1 200 OK\r\n\r\n"),
    ]) {
      const target = `https://${host}:${await listen(createTcpServer(answer))}`;
      const { tlsTransport } = await import("../support/tls-transport.ts");
      expect(
        await tlsTransport(target).send({
          url: `${target}/`,
          headers: {},
          body: "secret",
          timeoutMs: 2_000,
        }),
      ).toMatchObject({
        ok: false,
        error: "tls_error",
      });
    }
    expect(got.join("")).not.toContain("secret");
  });
});
