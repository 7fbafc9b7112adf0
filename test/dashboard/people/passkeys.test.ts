import { describe, expect, test } from "vitest";
import { Authenticator, cbor, type Lie } from "../../support/authenticator.ts";
import {
  createDashboardShop,
  type DashboardShop,
  dashboardOrigin,
  everything,
  filledIn,
  formOf,
} from "../../support/dashboard-shop.ts";
import {
  joinPerson,
  keepPasskey,
  optionsOf,
  pathOf,
  pressLink,
  signIn,
} from "../../support/people.ts";
import { storages } from "../../support/storages.ts";

const refusedBody = "That passkey was not accepted";

/** A person who was let in, and has no passkey yet. */
async function invited(shop: DashboardShop, name = "Bia") {
  const input = { store_id: shop.a.id, name, access: "all" } as const;
  const { id, url } = await shop.dashboard.people.invite(input);
  const visitor = shop.visitor(null);
  await pressLink(visitor, pathOf(url));
  return { id, visitor };
}

test.each(["ES256", "EdDSA", "RS256"] as const)(
  "a key of %s is kept and signs in",
  async (name) => {
    const shop = await createDashboardShop();
    const { visitor } = await invited(shop);
    const device = new Authenticator(dashboardOrigin, name);
    expect((await keepPasskey(visitor, device)).status).toBe(303);
    expect((await signIn(shop.visitor(null), device)).status).toBe(303);
  },
);

test("the browser is asked for a key that its device finds, verifies the person, and tells nothing of itself", async () => {
  const shop = await createDashboardShop();
  const { visitor, id } = await invited(shop);
  const { challenge: _, user, ...asked } = optionsOf(await visitor.send("/dashboard/passkeys"));
  expect(asked).toMatchObject({
    rp: { id: "api.example.com", name: "Store A" },
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
  });
  const handle = Buffer.from(user.id, "base64url");
  expect(handle.length).toBeLessThanOrEqual(64);
  expect([user.displayName, `psn_${handle.subarray(0, 16).toString("base64url")}`]).toEqual([
    "Bia",
    id,
  ]);
  const page = await shop.visitor(null).send("/dashboard/sign-in");
  const { challenge: __, ...signing } = optionsOf(page);
  expect(signing).toEqual({
    rpId: "api.example.com",
    allowCredentials: [],
    userVerification: "required",
    timeout: 600_000,
  });
});

const rs1 = cbor(
  new Map<number, unknown>([
    [1, 3],
    [3, -65_535],
    [-1, Buffer.alloc(256, 255)],
    [-2, Buffer.from([1, 0, 1])],
  ]),
);
const weakRsa = cbor(
  new Map<number, unknown>([
    [1, 3],
    [3, -257],
    [-1, Buffer.alloc(128, 255)],
    [-2, Buffer.from([1, 0, 1])],
  ]),
);
const offCurve = cbor(
  new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.alloc(32, 1)],
    [-3, Buffer.alloc(32, 2)],
  ]),
);

test.each<readonly [name: string, lie: Lie]>([
  ["of another origin", { origin: "https://evil.example" }],
  ["of a sibling's origin", { origin: "https://shop.example.com" }],
  ["of another domain", { rpId: "evil.example" }],
  ["that is a sign-in", { type: "webauthn.get" }],
  ["in a frame of another site", { crossOrigin: true }],
  ["for a challenge of its own", { challenge: `1.${"A".repeat(22)}.${"B".repeat(43)}` }],
  ["without the person", { flags: 0x44 }],
  ["without verifying the person", { flags: 0x41 }],
  ["with no key", { flags: 0x05 }],
  ["with bytes at its end", { tamper: (data) => Buffer.concat([data, Buffer.from([0])]) }],
  ["that is cut off", { tamper: (data) => data.subarray(0, 60) }],
  ["under the id of another key", { id: "AAAAAAAAAAAAAAAAAAAAAA" }],
  ["of a weaker algorithm", { cose: rs1 }],
  ["of a short RSA key", { cose: weakRsa }],
  ["of a point that is on no curve", { cose: offCurve }],
])("a new passkey %s is not kept", async (_name, lie) => {
  const shop = await createDashboardShop();
  const { visitor } = await invited(shop);
  const reply = await keepPasskey(visitor, new Authenticator(dashboardOrigin), lie);
  expect([reply.status, reply.body?.includes(refusedBody)]).toEqual([422, true]);
  const [person] = await shop.dashboard.people.list({ store_id: shop.a.id });
  expect(person?.passkeys).toEqual([]);
  expect(shop.errors).toEqual([]);
});

test.each<readonly [name: string, lie: Lie]>([
  ["of another origin", { origin: "https://evil.example" }],
  ["of plain http", { origin: "http://api.example.com" }],
  ["of another domain", { rpId: "example.com" }],
  ["that makes a key", { type: "webauthn.create" }],
  ["in a frame of another site", { crossOrigin: true }],
  ["for a challenge of its own", { challenge: `1.${"A".repeat(22)}.${"B".repeat(43)}` }],
  ["without the person", { flags: 0x04 }],
  ["without verifying the person", { flags: 0x01 }],
  ["whose data was changed", { tamper: (data) => Buffer.from([...data.subarray(0, 36), 9]) }],
  ["whose flags were changed", { flags: 0x01, tamper: (data) => data.fill(5, 32, 33) }],
  ["with bytes at its end", { tamper: (data) => Buffer.concat([data, Buffer.from([0])]) }],
  ["of an unknown key", { id: "AAAAAAAAAAAAAAAAAAAAAA" }],
  [
    "of an unknown person",
    { userHandle: Buffer.from(`${"x".repeat(16)}str_none`).toString("base64url") },
  ],
  ["of nobody", { userHandle: "" }],
  ["with no signature", { signature: Buffer.alloc(0) }],
  ["with a signature that is none", { signature: Buffer.from("3006020101020101", "hex") }],
])("a sign-in %s is refused, and all are refused alike", async (_name, lie) => {
  const shop = await createDashboardShop();
  const { device } = await joinPerson(shop);
  const visitor = shop.visitor(null);
  const reply = await signIn(visitor, device, lie);
  expect([reply.status, reply.body?.includes(refusedBody)]).toEqual([403, true]);
  expect((await visitor.send(`/dashboard/${shop.a.id}/test`)).status).toBe(401);
  const plain = (body: string | null) => body?.replaceAll(/\d+\.[\w-]{22}\.[\w-]{43}/g, "");
  const unknown = await signIn(shop.visitor(null), new Authenticator(dashboardOrigin));
  expect(plain(reply.body)).toBe(plain(unknown.body));
  expect(shop.errors).toEqual([]);
  expect((await signIn(visitor, device)).status).toBe(303);
});

test("no answer that is no answer is more than refused", async () => {
  const shop = await createDashboardShop();
  for (const credential of ["", "{}", "null", "[", '{"id":1}', `"${"x".repeat(9_000)}"`]) {
    const reply = await shop.visitor(null).send("/dashboard/sign-in", { form: { credential } });
    expect([credential.slice(0, 9), reply.status]).toEqual([credential.slice(0, 9), 403]);
  }
  expect(shop.errors).toEqual([]);
});

describe.each(storages)("a challenge on %s", (_name, open) => {
  test("is good once, for its browser, and for ten minutes", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const { device } = await joinPerson(shop);
    const ask = async (visitor = shop.visitor(null)) => ({
      visitor,
      options: optionsOf(await visitor.send("/dashboard/sign-in")),
    });
    const send = async ({ visitor, options }: Awaited<ReturnType<typeof ask>>) => {
      const form = { credential: device.get(options) };
      return (await visitor.send("/dashboard/sign-in", { form })).status;
    };
    const first = await ask();
    const together = await Promise.all([send(first), send(first), send(first)]);
    expect(together.sort()).toEqual([303, 403, 403]);
    expect(await send(first)).toBe(403);

    const { options } = await ask();
    expect(await send({ ...(await ask()), options })).toBe(403);
    const late = await ask();
    shop.advance(600_000);
    expect(await send(late)).toBe(403);
    // Maintenance forgets no challenge that is still good.
    const kept = await ask();
    expect(await send(kept)).toBe(303);
    shop.advance(599_000);
    await shop.storefront.runMaintenance();
    expect(await send(kept)).toBe(403);
    await shop.storage.close();
  });

  test("of a new passkey is not that of a sign-in, nor of another person", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const { visitor: bia } = await joinPerson(shop);
    const { challenge } = optionsOf(await bia.send("/dashboard/passkeys"));
    const device = new Authenticator(dashboardOrigin);
    const other = await invited(shop, "Caio");
    const refused = await keepPasskey(other.visitor, device, { challenge });
    expect(refused.status).toBe(422);
    const page = await shop.visitor(null).send("/dashboard/sign-in");
    const signing = optionsOf(page).challenge;
    expect((await keepPasskey(bia, device, { challenge: signing })).status).toBe(422);
    await shop.storage.close();
  });

  test("leads to no person but the one whose key has signed", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const bia = await joinPerson(shop);
    const caio = await joinPerson(shop, { name: "Caio", access: "read" });
    const { userHandle } = bia.device;
    expect((await signIn(shop.visitor(null), caio.device, { userHandle })).status).toBe(403);
    const id = bia.device.id.toString("base64url");
    const stolen = await signIn(shop.visitor(null), caio.device, { userHandle, id });
    expect(stolen.status).toBe(403);

    // The id of a key that someone has is taken, whoever brings it.
    const again = await invited(shop, "Davi");
    const page = await again.visitor.send("/dashboard/passkeys");
    const credential = bia.device.create(optionsOf(page));
    const form = filledIn(formOf(page, "add"), { credential });
    expect((await again.visitor.send("/dashboard/passkeys", { form })).status).toBe(422);
    await shop.storage.close();
  });
});

describe("a passkey", () => {
  test("whose counter does not grow is refused, and the list tells that a copy may be in use", async () => {
    const shop = await createDashboardShop();
    const { id, visitor, device } = await joinPerson(shop);
    for (const [counter, status] of [
      [1, 303],
      [7, 303],
      [7, 403],
      [3, 403],
      [0, 403],
      [8, 303],
    ])
      expect((await signIn(shop.visitor(null), device, { counter: counter ?? 0 })).status).toBe(
        status,
      );
    const page = `/dashboard/${shop.a.id}/test/people`;
    expect((await shop.visitor().send(page)).body).toContain("A copy may be in use");

    const removed = await shop.visitor().submit(`${page}/${id}`, "remove");
    expect(removed.status).toBe(303);
    expect((await signIn(shop.visitor(null), device, { counter: 9 })).status).toBe(403);
    // Whoever has the device may have a session too.
    expect((await visitor.send(page)).status).toBe(401);
  });

  test("is removed by its person, whose own session stays, and another is let in by a new link", async () => {
    const shop = await createDashboardShop();
    const { id, visitor, device } = await joinPerson(shop);
    const phone = shop.visitor(null);
    await signIn(phone, device);
    expect((await visitor.submit("/dashboard/passkeys", "remove")).status).toBe(303);
    const page = `/dashboard/${shop.a.id}/test`;
    expect((await visitor.send(page)).status).toBe(200);
    expect((await phone.send(page)).status).toBe(401);

    const made = await shop.visitor().submit(`${page}/people/${id}`, "link");
    await pressLink(phone, pathOf(made.body));
    const other = new Authenticator(dashboardOrigin, "EdDSA");
    expect((await keepPasskey(phone, other)).status).toBe(303);
    expect((await signIn(shop.visitor(null), other)).status).toBe(303);
  });

  test("signs in twenty times a minute from an address, and no more", async () => {
    const shop = await createDashboardShop();
    const { device } = await joinPerson(shop);
    const statuses = new Set<number>();
    for (let times = 0; times < 20; times += 1)
      statuses.add(
        (await signIn(shop.visitor(null), device, { signature: Buffer.alloc(9) })).status,
      );
    expect([...statuses]).toEqual([403]);
    const form = { credential: "" };
    expect((await shop.visitor(null).send("/dashboard/sign-in", { form })).status).toBe(429);
    shop.advance(60_000);
    expect((await signIn(shop.visitor(null), device)).status).toBe(303);
  });

  test("never takes the place of whom the host knows", async () => {
    const shop = await createDashboardShop();
    const { device } = await joinPerson(shop, { access: "read" });
    const ana = shop.visitor(everything);
    const page = await shop.visitor(null).send("/dashboard/sign-in");
    const form = { credential: device.get(optionsOf(page)) };
    const reply = await ana.send("/dashboard/sign-in", { form });
    expect([reply.status, reply.headers["set-cookie"]]).toEqual([303, undefined]);
    expect((await ana.send("/dashboard/passkeys")).body).toContain("You sign in on another site");

    // With a session of a person in the same browser, the host's word counts.
    const both = shop.visitor(everything);
    const person = shop.visitor(null);
    await signIn(person, device);
    for (const [name, value] of person.cookies) both.cookies.set(name, value);
    expect((await both.send(`/dashboard/${shop.a.id}/test/products/new`)).status).toBe(200);
  });

  test("leads back to the page that asked for it, and to no other site", async () => {
    const shop = await createDashboardShop();
    const { device } = await joinPerson(shop);
    const visitor = shop.visitor(null);
    const target = `/dashboard/${shop.a.id}/test/orders`;
    const asked = await visitor.send(target);
    const [, action = ""] = /action="([^"]+)"/.exec(asked.body ?? "") ?? [];
    const form = { credential: device.get(optionsOf(asked)) };
    const reply = await visitor.send(action, { form });
    expect([reply.status, reply.headers["location"]]).toEqual([303, target]);
    for (const next of ["//evil.example", "https://evil.example", "/../other"]) {
      const page = await shop
        .visitor(null)
        .send(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
      expect(page.body).toContain('action="/dashboard/sign-in"');
    }
  });

  test("is stored as its public half", async () => {
    const shop = await createDashboardShop();
    const { id, device } = await joinPerson(shop);
    const row = await shop.storage.dashboard.findSession(
      { store_id: shop.a.id, hash: id },
      shop.now(),
    );
    const key = Buffer.from(row?.person?.passkeys[0]?.public_key ?? "", "base64url");
    expect(key.length).toBe(77);
    expect(row?.person?.passkeys[0]?.id).toBe(device.id.toString("base64url"));
  });
});
