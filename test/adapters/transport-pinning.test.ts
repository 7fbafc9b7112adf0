import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { nodeTransport, type Resolve } from "vitrine/transport";
import ssrf from "../vectors/ssrf.json" with { type: "json" };

interface SsrfCase {
  readonly id: string;
  readonly phase: string;
  readonly url: string;
  readonly resolves_to: readonly string[] | null;
  readonly delivery_resolves_to?: readonly string[];
  readonly redirect_to?: string;
  readonly allow: boolean;
  readonly why: string;
}
const cases = ssrf as readonly SsrfCase[];
const pem = (name: string): string =>
  readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
const host = "hooks.merchant-example.com";
const message = { url: `https://${host}/in`, headers: {}, body: "{}", timeoutMs: 2_000 };

interface ConnectOptions {
  readonly host: string;
  readonly port: number | string;
  readonly lookup?: (
    host: string,
    options: object,
    done: (error: null, found: readonly { address: string }[]) => void,
  ) => void;
}
interface Dialled {
  readonly addresses: readonly string[];
  readonly port: number;
}
const { connect } = Socket.prototype;
afterEach(() => vi.restoreAllMocks());

/**
 * The internet lies beyond this machine: what would be dialled is written down, and then reaches the server at `port` under the address that
 * was dialled (or `seenAs`), or is refused when there is none.
 */
function dialling(port?: number, seenAs?: string): Dialled[] {
  const dialled: Dialled[] = [];
  vi.spyOn(Socket.prototype, "connect").mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    const [first, ready] = given.flat() as [ConnectOptions, (() => void)?];
    const wanted: string[] = [];
    if (first.lookup && !/^[0-9.]+$|:/.test(first.host))
      first.lookup(first.host, { all: true }, (_error, found) =>
        wanted.push(...found.map(({ address }) => address)),
      );
    else wanted.push(first.host);
    dialled.push({ addresses: wanted, port: Number(first.port) });
    if (port === undefined) {
      setImmediate(() =>
        this.destroy(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })),
      );
      return this;
    }
    Object.defineProperty(this, "remoteAddress", { value: seenAs ?? wanted[0] });
    return Reflect.apply(connect, this, [{ host: "127.0.0.1", port }, ready]);
  });
  return dialled;
}
const resolving = (...answers: (readonly string[] | null | undefined)[]) => {
  const asked: string[] = [];
  const resolve: Resolve = async (name) => {
    const answer = answers[Math.min(asked.push(name), answers.length) - 1];
    if (!answer) throw new Error("no such name");
    return answer;
  };
  return { asked, resolve };
};
async function serving(
  listener: RequestListener,
  run: (port: number, calls: () => number) => Promise<void>,
): Promise<void> {
  let calls = 0;
  const server = createServer({ key: pem("good.key"), cert: pem("good.pem") }, (req, res) => {
    calls += 1;
    listener(req, res);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  try {
    await run((server.address() as AddressInfo).port, () => calls);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

describe("every delivery", () => {
  test.each(cases.filter((one) => one.redirect_to === undefined))("$id: $why", async (one) => {
    const { url, resolves_to, delivery_resolves_to, allow } = one;
    const addresses = delivery_resolves_to ?? resolves_to;
    const dialled = dialling();
    const sent = await nodeTransport({ resolve: resolving(addresses).resolve }).send({
      ...message,
      url,
    });
    if (!allow) {
      expect(dialled).toEqual([]);
      expect(sent).toMatchObject({
        ok: false,
        status: null,
        error: addresses?.length === 0 ? "dns_error" : "ssrf_blocked",
      });
      return;
    }
    // Port 443 of the checked addresses and nothing else.
    expect(dialled).toEqual([
      { addresses: addresses ?? [new URL(url).hostname.replace(/^\[|\]$/g, "")], port: 443 },
    ]);
    expect(sent.error).toBe("connect_refused");
  });

  test.each(cases.filter((one) => one.redirect_to !== undefined && one.resolves_to))(
    "$id: $why",
    async ({ redirect_to = "", resolves_to, why }) => {
      const status = Number(/^\d{3}/.exec(why)?.[0] ?? 303);
      await serving(
        (_req, res) =>
          void res
            .writeHead(status, redirect_to === "" ? {} : { location: redirect_to })
            .end("moved"),
        async (port, calls) => {
          const dialled = dialling(port);
          const transport = nodeTransport({
            resolve: resolving(resolves_to).resolve,
            ca: pem("ca.pem"),
          });
          expect(await transport.send(message)).toMatchObject({
            ok: false,
            status,
            error: "redirect",
          });
          expect([dialled.length, calls()]).toEqual([1, 1]);
          transport.close();
        },
      );
    },
  );
});

describe("the pinned connection", () => {
  test("answers are kept and connections reused; a name that moved gets a connection of its own", async () => {
    await serving(
      (_req, res) => void res.writeHead(200, { "keep-alive": "timeout=60" }).end("ok"),
      async (port) => {
        vi.useFakeTimers({ toFake: ["performance"] });
        try {
          const dialled = dialling(port);
          const dns = resolving(
            ["93.184.216.34", "8.8.8.8"],
            ["8.8.8.8", "93.184.216.34"],
            ["8.8.4.4"],
          );
          const transport = nodeTransport({ resolve: dns.resolve, ca: pem("ca.pem") });
          const send = async () =>
            expect(await transport.send(message)).toMatchObject({ ok: true, snippet: "ok" });
          await send();
          await send();
          expect([dns.asked.length, dialled.length]).toEqual([1, 1]);
          vi.advanceTimersByTime(5_001);
          await send(); // the same addresses in another order
          expect([dns.asked.length, dialled.length]).toEqual([2, 1]);
          vi.advanceTimersByTime(5_001);
          await send();
          expect([dns.asked.length, dialled.length]).toEqual([3, 2]);
          expect(dialled[1]?.addresses).toEqual(["8.8.4.4"]);
          transport.close();
        } finally {
          vi.useRealTimers();
        }
      },
    );
  });

  test("a socket that reached another address than was checked is dropped before a byte is sent", async () => {
    await serving(
      (_req, res) => void res.end("ok"),
      async (port, calls) => {
        dialling(port, "10.0.0.1");
        const transport = nodeTransport({
          resolve: resolving(["93.184.216.34"]).resolve,
          ca: pem("ca.pem"),
        });
        expect(await transport.send(message)).toMatchObject({
          ok: false,
          status: null,
          error: "ssrf_blocked",
        });
        expect(calls()).toBe(0);
      },
    );
  });

  test("addresses are compared as addresses, whatever their spelling", async () => {
    await serving(
      (_req, res) => void res.end("ok"),
      async (port) => {
        dialling(port, "2606:2800:220:1:248:1893:25c8:1946");
        const transport = nodeTransport({
          resolve: resolving(["2606:2800:0220:0001:0248:1893:25C8:1946"]).resolve,
          ca: pem("ca.pem"),
        });
        expect(await transport.send(message)).toMatchObject({ ok: true });
        transport.close();
      },
    );
  });

  test("sends that wait for one name share its look-up, which is cancelled when the last of them has left", async () => {
    let asked = 0;
    let cancelled = false;
    const transport = nodeTransport({
      resolve: (_name, signal) => {
        asked += 1;
        return new Promise((_found, reject) => {
          signal.addEventListener("abort", () => {
            cancelled = true;
            reject(new Error("cancelled"));
          });
        });
      },
    });
    const stop = new AbortController();
    const first = transport.send({ ...message, signal: stop.signal });
    const second = transport.send({ ...message, timeoutMs: 150 });
    stop.abort();
    expect((await first).error).toBe("aborted");
    expect(cancelled).toBe(false);
    expect((await second).error).toBe("timeout");
    expect([asked, cancelled]).toEqual([1, true]);
  });

  test("a connection is not used again after the time that its receiver announced for it", async () => {
    await serving(
      (_req, res) => void res.writeHead(200, { "keep-alive": "timeout=3" }).end("ok"),
      async (port) => {
        vi.useFakeTimers({ toFake: ["performance"] });
        try {
          const dialled = dialling(port);
          const transport = nodeTransport({
            resolve: resolving(["93.184.216.34"]).resolve,
            ca: pem("ca.pem"),
          });
          for (const [waitMs, connections] of [
            [0, 1],
            [1_000, 1],
            [2_500, 2],
          ] as const) {
            vi.advanceTimersByTime(waitMs);
            expect(await transport.send(message)).toMatchObject({ ok: true });
            expect(dialled.length).toBe(connections);
          }
          transport.close();
        } finally {
          vi.useRealTimers();
        }
      },
    );
  });

  test("a header of the caller never stands beside the transport's own", async () => {
    await serving(
      (req, res) => void res.end(req.rawHeaders.map((text) => text.toLowerCase()).join()),
      async (port) => {
        dialling(port);
        const transport = nodeTransport({
          resolve: resolving(["93.184.216.34"]).resolve,
          ca: pem("ca.pem"),
        });
        const headers = {
          Host: "evil.example",
          "Content-Length": "1",
          Connection: "close",
          "Transfer-Encoding": "chunked",
          "x-a": "b",
        };
        const { snippet } = await transport.send({ ...message, headers });
        expect(snippet).toMatch(
          /^x-a,b,host,[^,]*merchant-example.com,accept-encoding,identity,content-length,\d+,connection,keep-alive$/,
        );
        transport.close();
      },
    );
  });

  test("a kept connection that the receiver closed is replaced once, unseen", async () => {
    let reset = false;
    await serving(
      (req, res) => {
        if (
          reset &&
          req.socket.bytesRead > 0 &&
          req.headers["x-n"] === "2" &&
          req.headers.connection === "keep-alive"
        )
          req.socket.destroy();
        else res.end(req.headers["x-n"]);
      },
      async (port, calls) => {
        dialling(port);
        const transport = nodeTransport({
          resolve: resolving(["93.184.216.34"]).resolve,
          ca: pem("ca.pem"),
        });
        expect(await transport.send({ ...message, headers: { "x-n": "1" } })).toMatchObject({
          ok: true,
        });
        reset = true;
        expect(await transport.send({ ...message, headers: { "x-n": "2" } })).toMatchObject({
          ok: true,
          snippet: "2",
        });
        expect(calls()).toBe(3);
        transport.close();
      },
    );
  });

  test("an answer of 101, a header that cannot be sent: failures, never throws nor hangs", async () => {
    await serving(
      (req) =>
        void req.socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
        ),
      async (port) => {
        dialling(port);
        const transport = nodeTransport({
          resolve: resolving(["93.184.216.34"]).resolve,
          ca: pem("ca.pem"),
        });
        expect(await transport.send(message)).toMatchObject({
          ok: false,
          error: "connection_reset",
        });
        expect(await transport.send({ ...message, headers: { "x-a": "b\r\nc: d" } })).toMatchObject(
          {
            ok: false,
            error: "connection_reset",
          },
        );
      },
    );
  });

  test("a wrong entry of allowTargets is an error at start", () => {
    for (const target of ["http://127.0.0.1:1/path", "127.0.0.1", "file:///etc", "*"]) {
      expect(() => nodeTransport({ allowTargets: [target], warn: () => {} })).toThrow(
        "allowTargets takes origins",
      );
    }
  });

  test("after hundreds of failures of every kind no timer, socket or look-up is left", async () => {
    const resources = () =>
      process.getActiveResourcesInfo().filter((name) => name !== "Immediate").length;
    dialling();
    const before = resources();
    const transport = nodeTransport({
      resolve: async (name) => {
        if (name.startsWith("none")) throw new Error("no such name");
        return [name.startsWith("inside") ? "10.0.0.1" : "93.184.216.34"];
      },
    });
    const hosts = ["none.merchant-example.com", "inside.merchant-example.com", host];
    const sent = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        transport.send({
          ...message,
          url: `https://${hosts[at % 3]}/`,
          signal: new AbortController().signal,
        }),
      ),
    );
    expect(new Set(sent.map(({ error }) => error))).toEqual(
      new Set(["dns_error", "ssrf_blocked", "connect_refused"]),
    );
    await expect.poll(resources).toBeLessThanOrEqual(before);
  });
});
