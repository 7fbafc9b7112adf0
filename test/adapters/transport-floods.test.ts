import { type AddressInfo, createServer, type Server, Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type NodeTransport, nodeTransport } from "vitrine/transport";
import { fetchTransport } from "vitrine/transport/fetch";

const servers: Server[] = [];
const transports: NodeTransport[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const transport of transports.splice(0)) transport.close();
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});

/** A receiver that speaks bytes; `answer` writes to the socket once a post has come. */
async function receiver(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (part: Buffer) => {
      if (part.includes("POST ")) answer(socket);
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(...targets: string[]): NodeTransport {
  const transport = nodeTransport({ allowTargets: targets, warn: () => {} });
  transports.push(transport);
  return transport;
}

const post = (url: string) => ({ url, headers: {}, body: "{}", timeoutMs: 5_000 });

/** Writes the part again and again until the other side hangs up; gives the bytes it took. */
function flood(socket: Socket, part: string): Promise<number> {
  return new Promise((done) => {
    let written = 0;
    const write = (): void => {
      while (!socket.destroyed && written < 20_000_000) {
        written += part.length;
        if (!socket.write(part)) return void socket.once("drain", write);
      }
    };
    socket.once("close", () => done(socket.bytesWritten));
    write();
  });
}

/** What the buffers of both kernels hold, beside what is read. */
const inBuffers = 8_000_000;

describe("a receiver that floods what stands around the body of its answer is cut off", () => {
  test.each([
    ["interim answers", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
    [
      "interim answers with headers",
      "",
      `HTTP/1.1 103 Early Hints\r\na: ${"b".repeat(9_000)}\r\n\r\n`,
    ],
    ["headers", "HTTP/1.1 200 OK\r\n", `a: ${"b".repeat(500)}\r\n`],
  ])("by %s: it fails at once", async (_name, head, part) => {
    let taken: Promise<number> | undefined;
    const url = await receiver((socket) => {
      socket.write(head);
      taken = flood(socket, part);
    });
    const sent = await open(url).send(post(url));
    expect(sent).toMatchObject({ ok: false, status: null, error: "connection_reset" });
    expect(await taken).toBeLessThan(inBuffers);
  });

  test.each([
    ["trailers", "2\r\nok\r\n0\r\n", `a: ${"b".repeat(500)}\r\n`],
    ["sizes of chunks", "2\r\nok\r\n", `00000001;${"a".repeat(1_000)}\r\nb\r\n`],
  ])("by %s: the headers have decided", async (_name, head, part) => {
    let taken: Promise<number> | undefined;
    const url = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${head}`);
      taken = flood(socket, part);
    });
    const sent = await open(url).send(post(url));
    expect(sent).toMatchObject({ ok: true, status: 200, error: null });
    expect(await taken).toBeLessThan(inBuffers);
  });

  test("32 interim answers are taken, 33 are not", async () => {
    for (const [count, ok] of [
      [32, true],
      [33, false],
    ] as const) {
      const interim = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(count);
      const url = await receiver((socket) => {
        socket.write(`${interim}HTTP/1.1 204 No Content\r\n\r\n`);
      });
      expect((await open(url).send(post(url))).ok).toBe(ok);
    }
  });

  test("a body of 64 KiB is read to its end, and its connection is used again", async () => {
    const connections = new Set<Socket>();
    const body = "x".repeat(65_536);
    const url = await receiver((socket) => {
      connections.add(socket);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    const transport = open(url);
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await transport.send(post(url))).ok).toBe(true);
      await new Promise((done) => setTimeout(done, 20));
    }
    expect(connections.size).toBe(1);
  });
});

test("at most 256 idle connections are kept; the one used the longest ago is closed", async () => {
  const opened: Socket[] = [];
  const answers: (() => void)[] = [];
  const url = await receiver((socket) => {
    if (!opened.includes(socket)) opened.push(socket);
    answers.push(() => socket.write("HTTP/1.1 204 No Content\r\n\r\n"));
  });
  const transport = open(url);
  const sends = Array.from({ length: 260 }, () => transport.send(post(url)));
  await expect.poll(() => answers.length, { timeout: 5_000 }).toBe(260);

  const closed: Socket[] = [];
  for (const socket of opened) socket.once("close", () => closed.push(socket));
  for (const answer of answers.splice(0)) {
    answer();
    await new Promise(setImmediate);
  }
  expect((await Promise.all(sends)).every(({ ok }) => ok)).toBe(true);
  await expect.poll(() => closed.length).toBe(4);

  // The connection that was used last is taken first.
  const again = transport.send(post(url));
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.();
  expect((await again).ok).toBe(true);
  expect(opened.length).toBe(260);
});

describe("a shortage of this process is not the receiver's fault", () => {
  test.each(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])("%s of a socket", async (code) => {
    const url = await receiver((socket) => void socket.end());
    vi.spyOn(Socket.prototype, "connect").mockImplementation(function (
      this: Socket & { connecting: boolean },
    ) {
      this.connecting = true;
      setImmediate(() => this.destroy(Object.assign(new Error(code), { code })));
      return this;
    });
    expect(await open(url).send(post(url))).toMatchObject({ ok: false, error: "local_shortage" });
  });

  test("the same in a runtime with fetch alone, below the error that fetch throws", async () => {
    const cause = Object.assign(new AggregateError([]), {
      errors: [
        Object.assign(new Error(), { code: "ENETUNREACH" }),
        Object.assign(new Error(), { code: "EMFILE" }),
      ],
    });
    const fetch = async (): Promise<Response> => {
      throw new TypeError("fetch failed", { cause });
    };
    const sent = await fetchTransport({ fetch }).send(post("https://hooks.example-shop.com/"));
    expect(sent).toMatchObject({ ok: false, error: "local_shortage" });
  });

  // The system refuses a broadcast address while the socket is made, before a request listens to it.
  test("the error of a socket that fails at once is known", async () => {
    const transport = nodeTransport({
      allowTargets: ["http://hooks.example-shop.com"],
      resolveAllowed: async () => ["255.255.255.255"],
      warn: () => {},
    });
    transports.push(transport);
    const sent = await transport.send(post("http://hooks.example-shop.com/"));
    expect(sent).toMatchObject({ ok: false, error: "connect_refused" });
  });

  test("another error of a socket is the receiver's", async () => {
    const url = await receiver((connection) => void connection.resetAndDestroy());
    expect(await open(url).send(post(url))).toMatchObject({ error: "connection_reset" });
  });
});
