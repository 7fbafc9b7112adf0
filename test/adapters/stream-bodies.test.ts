import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Serve, WireReply } from "vitrine/node";
import { fromWeb, toWeb } from "../../src/http/wire.ts";
import { hosts, portOf } from "../support/hosts.ts";
import { exchange, open } from "../support/raw-http.ts";

const part = new Uint8Array(65_536).fill(120);

/** A body that counts what is asked of it. */
class Produced implements AsyncIterable<Uint8Array> {
  begun = 0;
  parts = 0;
  returned = 0;
  readonly #count: number;
  readonly #fault: Error | null;

  constructor(count: number, fault: Error | null = null) {
    this.#count = count;
    this.#fault = fault;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    this.begun += 1;
    return {
      next: async () => {
        // A producer reads a database, so its parts never come in one turn.
        await pause(0);
        if (this.parts < this.#count) {
          this.parts += 1;
          return { done: false, value: part };
        }
        if (this.#fault) throw this.#fault;
        return { done: true, value: undefined };
      },
      return: async () => {
        this.returned += 1;
        return { done: true, value: undefined };
      },
    };
  }
}

const endless = Number.POSITIVE_INFINITY;
/** More than the kernel and Node keep for one connection, and far less than an endless body. */
const mostInFlight = 400;

/** The answer to a request that breaks the connection off: `null`, or the bytes of a whole body. */
async function bytesOf(url: string): Promise<number | null> {
  try {
    return (await (await fetch(url)).arrayBuffer()).byteLength;
  } catch {
    return null;
  }
}

describe.each(hosts)("a body that is a stream, on $name", (host) => {
  let server: Server;
  let url = "";
  let produced: Produced;
  let status = 200;
  let body: WireReply["body"] | undefined;
  beforeAll(async () => {
    const serve: Serve = async () => ({
      status,
      headers: { "content-type": "text/csv" },
      body: body === undefined ? produced : body,
    });
    const handler = async (request: Request): Promise<Response> => {
      const reply = await serve(fromWeb(request));
      return reply ? toWeb(reply, request.method) : new Response(null, { status: 404 });
    };
    server = await host.start({ serve, handler }, "/v1");
    url = `http://127.0.0.1:${portOf(server)}/v1/rows`;
  });
  beforeEach(() => {
    status = 200;
    body = undefined;
  });
  afterAll(async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  });

  const head = (method: string, version = "1.1"): string =>
    `${method} /v1/rows HTTP/${version}\r\nhost: x\r\n\r\n`;

  /** Sends requests and reads nothing of their answers. */
  async function ask(text: string): Promise<Socket> {
    const socket = await open(portOf(server));
    socket.pause();
    socket.write(text);
    return socket;
  }

  /** Waits until the producer is asked for nothing more. */
  async function held(): Promise<number> {
    for (let before = -1; before !== produced.parts; await pause(25)) before = produced.parts;
    return produced.parts;
  }

  test("arrives whole, in order, and bytes arrive with their length", async () => {
    produced = new Produced(5);
    expect(await bytesOf(url)).toBe(5 * part.length);
    expect(produced).toMatchObject({ begun: 1, parts: 5 });

    body = new TextEncoder().encode("João");
    const answer = await fetch(url);
    expect([await answer.text(), answer.headers.get("content-type")]).toEqual(["João", "text/csv"]);
  });

  test("is not begun for HEAD and 304", async () => {
    produced = new Produced(5);
    expect(await (await fetch(url, { method: "HEAD" })).text()).toBe("");
    status = 304;
    expect(await (await fetch(url)).text()).toBe("");
    expect(produced.begun).toBe(0);
  });

  test("waits for a slow reader, and ends when the reader breaks off", async () => {
    // The second answer waits for the first one. Behind a Response the host writes, one by one.
    const answers = host.framework === "web" ? 1 : 2;
    produced = new Produced(endless);
    const socket = await ask(head("GET").repeat(answers));
    await expect.poll(() => produced.begun, { interval: 5 }).toBe(answers);
    expect(await held()).toBeLessThan(mostInFlight * answers);

    socket.destroy();
    await expect.poll(() => produced.returned, { interval: 5 }).toBe(answers);
  });

  test("that fails in the middle breaks the connection off", async () => {
    produced = new Produced(3, new Error("The storage is down."));
    expect(await bytesOf(url)).toBeNull();

    produced = new Produced(3, new Error("The storage is down."));
    const raw = await exchange(portOf(server), head("GET"));
    expect([raw.slice(0, 12), raw.endsWith("\r\n0\r\n\r\n")]).toEqual(["HTTP/1.1 200", false]);
  });

  test("that fails in the middle resets a connection of HTTP/1.0", async () => {
    if (host.framework === "web") return; // There the host writes to the socket.
    produced = new Produced(3, new Error("The storage is down."));
    const socket = await open(portOf(server));
    const failure = once(socket, "error");
    socket.resume().write(head("GET", "1.0"));
    expect((await failure)[0]).toMatchObject({ code: "ECONNRESET" });
  });
});
