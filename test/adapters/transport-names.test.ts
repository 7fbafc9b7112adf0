import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nodeTransport } from "../../adapters/transport/node.ts";
import { checkedAddresses, NameResolver, type Resolve } from "../../adapters/transport/resolve.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const open = (): AbortSignal => new AbortController().signal;

/** A resolver that counts its look-ups; addresses that begin with 10. are not allowed. */
function setUp(resolve: Resolve) {
  const asked: string[] = [];
  const counted: Resolve = (host, signal) => {
    asked.push(host);
    return resolve(host, signal);
  };
  return { asked, names: new NameResolver(counted, (address) => !address.startsWith("10.")) };
}

test("addresses are kept for five seconds", async () => {
  const { asked, names } = setUp(async () => ["192.0.2.1"]);
  const found = await names.find("a.example", open());
  expect(found.addresses).toEqual(["192.0.2.1"]);
  expect(names.known("a.example")).toBe(found);
  vi.advanceTimersByTime(4_999);
  expect(names.known("a.example")).toBe(found);
  vi.advanceTimersByTime(1);
  expect(names.known("a.example")).toBeUndefined();
  await names.find("a.example", open());
  expect(asked).toHaveLength(2);
});

test("sends that wait for one name share its look-up", async () => {
  const { asked, names } = setUp(async () => ["192.0.2.1"]);
  const [one, two] = await Promise.all([
    names.find("a.example", open()),
    names.find("a.example", open()),
  ]);
  expect(one).toBe(two);
  expect(asked).toEqual(["a.example"]);
});

test.each([
  ["one private address among public ones", ["192.0.2.1", "10.0.0.1"], "ssrf_blocked"],
  ["a public address after a private one", ["10.0.0.1", "192.0.2.1"], "ssrf_blocked"],
  ["a text that is no address", ["192.0.2.1", "metadata"], "ssrf_blocked"],
  ["no address", [], "dns_error"],
])("%s ends the send, and is not kept", async (_name, addresses, kind) => {
  const { asked, names } = setUp(async () => addresses);
  for (let turn = 0; turn < 2; turn += 1)
    await expect(names.find("a.example", open())).rejects.toMatchObject({ kind });
  expect(names.known("a.example")).toBeUndefined();
  expect(asked).toHaveLength(2);
});

test("a look-up is cancelled when nobody waits for it any more, and not before", async () => {
  let cancelled = false;
  const { asked, names } = setUp(
    (_host, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          cancelled = true;
          reject(new Error("cancelled"));
        });
      }),
  );
  const [one, two] = [new AbortController(), new AbortController()];
  const first = expect(names.find("a.example", one.signal)).rejects.toMatchObject({
    kind: "timeout",
  });
  const second = expect(names.find("a.example", two.signal)).rejects.toMatchObject({
    kind: "timeout",
  });

  one.abort();
  await first;
  expect(cancelled).toBe(false);
  two.abort();
  await second;
  expect(cancelled).toBe(true);
  expect(asked).toHaveLength(1);
});

test("addresses are spelled as sockets spell them, and their key has one order", () => {
  const checked = checkedAddresses(["2001:DB8:0:0::1", "192.0.2.1"]);
  expect(checked.addresses).toEqual(["2001:db8::1", "192.0.2.1"]);
  expect(checked.key).toBe(checkedAddresses(["192.0.2.1", "2001:db8::1"]).key);

  const answers: unknown[] = [];
  checked.lookup("a.example", { all: true }, (...given) => void answers.push(given));
  checked.lookup("a.example", {}, (...given) => void answers.push(given));
  expect(answers).toEqual([
    [
      null,
      [
        { address: "2001:db8::1", family: 6 },
        { address: "192.0.2.1", family: 4 },
      ],
    ],
    [null, "2001:db8::1", 6],
  ]);
});

test.each([
  ["169.254.169.254", "ssrf_blocked"],
  ["fd00:ec2::254", "ssrf_blocked"],
  ["::ffff:169.254.169.254", "ssrf_blocked"],
])(
  "an allowed name that resolves to the metadata address %s is refused",
  async (address, error) => {
    vi.useRealTimers();
    const transport = nodeTransport({
      allowTargets: ["http://inside.example:9"],
      resolveAllowed: async () => [address],
      warn: () => {},
    });
    const url = "http://inside.example:9/hook";
    expect(await transport.check(url)).toMatchObject({ ok: false });
    const sent = await transport.send({ url, headers: {}, body: "{}", timeoutMs: 2_000 });
    expect(sent).toMatchObject({ ok: false, error });
    transport.close();
  },
);
