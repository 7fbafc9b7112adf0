import { describe, expect, test } from "vitest";
import { dashboardActions } from "../../../src/owner/actions.ts";
import { Authenticator } from "../../support/authenticator.ts";
import {
  createDashboardShop,
  dashboardOrigin,
  everything,
  filledIn,
  formOf,
  type PageReply,
  type Visitor,
} from "../../support/dashboard-shop.ts";
import { joinPerson, keepPasskey, pathOf, pressLink, signIn } from "../../support/people.ts";
import { thrownBy } from "../../support/shop.ts";
import { storages } from "../../support/storages.ts";

const hour = 3_600_000;

describe.each(storages)("people on %s", (_name, open) => {
  test("are invited by a link, keep a passkey, and sign in by it alone", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const people = `/dashboard/${shop.a.id}/test/people`;
    const ana = shop.visitor();
    const made = await ana.submit(`${people}/invite`, "invite", { name: " Bia ", rights: "read" });
    expect([made.status, made.body?.includes("shown this one time")]).toEqual([200, true]);
    expect((await ana.send(people)).body).toMatch(
      /Bia<\/a>[\s\S]*Read only[\s\S]*ana[\s\S]*Invited/,
    );

    const bia = shop.visitor(null);
    const path = pathOf(made.body);
    expect((await bia.send(path)).body).toContain("signs you in as Bia, for the store Store A");
    const entered = await pressLink(bia, path);
    expect([entered.status, entered.headers["location"]]).toEqual([303, "/dashboard/passkeys"]);
    expect((await pressLink(shop.visitor(null), path)).status).toBe(410);

    const device = new Authenticator(dashboardOrigin);
    const kept = await keepPasskey(bia, device);
    expect(kept.status).toBe(303);
    expect((await bia.send(kept.headers["location"] ?? "")).body).toContain("The passkey is kept");
    expect((await bia.send(people)).body).toContain("This is you");
    expect((await bia.send(`/dashboard/${shop.b.id}/test`)).status).toBe(404);
    expect((await bia.send(`/dashboard/${shop.a.id}/test/products/new`)).status).toBe(403);

    shop.advance(12 * hour);
    const asked = await bia.send(people);
    expect([asked.status, asked.body?.includes("Sign in with a passkey")]).toEqual([401, true]);
    expect(asked.body).not.toContain("Store A");
    const phone = shop.visitor(null);
    const signedIn = await signIn(phone, device);
    expect([signedIn.status, signedIn.headers["location"]]).toEqual([303, "/dashboard"]);
    expect((await phone.send(people)).status).toBe(200);

    const [person] = await shop.dashboard.people.list({ store_id: shop.a.id });
    expect(person).toMatchObject({ name: "Bia", access: "read", invited_by: "ana" });
    expect(Date.parse(person?.last_seen_at ?? "")).toBe(shop.now());
    expect(person?.passkeys).toMatchObject([{ copied: false }]);
    await shop.storage.close();
  });

  test("have other rights from the next request on, and are gone at once when they end", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const { id, visitor: bia, device } = await joinPerson(shop);
    const page = `/dashboard/${shop.a.id}/test`;
    const made = await bia.submit(`${page}/sessions`, "link", { actor: "caio", rights: "all" });
    const caio = shop.visitor(null);
    await pressLink(caio, pathOf(made.body));
    const waiting = await bia.submit(`${page}/sessions`, "link", { actor: "eva", rights: "all" });
    expect((await caio.send(`${page}/products/new`)).status).toBe(200);

    const changed = await shop.visitor().submit(`${page}/people/${id}`, "save", { rights: "read" });
    expect(changed.status).toBe(303);
    expect((await bia.send(`${page}/products/new`)).status).toBe(403);
    // What she gave to others goes no further than she does.
    expect((await caio.send(`${page}/products/new`)).status).toBe(403);
    expect((await caio.send(page)).status).toBe(200);

    const ended = await shop.visitor().submit(`${page}/people/${id}/end`, "confirm");
    expect(ended.status).toBe(303);
    for (const visitor of [bia, caio]) expect((await visitor.send(page)).status).toBe(401);
    expect((await shop.visitor(null).send(pathOf(waiting.body))).status).toBe(410);
    const late = await signIn(shop.visitor(null), device);
    expect([late.status, late.headers["set-cookie"]?.includes("session")]).toEqual([
      403,
      undefined,
    ]);
    expect(await shop.dashboard.people.list({ store_id: shop.a.id })).toEqual([]);
    await shop.storage.close();
  });

  test("leave entries in the audit log under their names, and none of their keys", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const page = `/dashboard/${shop.a.id}/test/people`;
    const made = await shop.visitor().submit(`${page}/invite`, "invite", { name: "Bia" });
    const bia = shop.visitor(null);
    await pressLink(bia, pathOf(made.body));
    const device = new Authenticator(dashboardOrigin);
    await keepPasskey(bia, device);
    await signIn(shop.visitor(null), device);
    const [person] = await shop.dashboard.people.list({ store_id: shop.a.id });
    await shop.visitor().submit(`${page}/${person?.id}`, "save", { rights: "all" });
    await shop.visitor().submit(`${page}/${person?.id}/end`, "confirm");

    const { data } = await shop.owner.audit.list({ store_id: shop.a.id, limit: 100 });
    expect(data.map(({ actor, action, via = null }) => [actor, action, via]).sort()).toEqual([
      ["Bia", "links.use", "link"],
      ["Bia", "passkeys.add", "link"],
      ["Bia", "passkeys.use", "link"],
      ["ana", "people.end", null],
      ["ana", "people.invite", null],
      ["ana", "people.update", null],
    ]);
    const text = JSON.stringify(data);
    expect(text).not.toContain(device.id.toString("base64url"));
    expect(text).not.toMatch(/public_key|hash|counter/);
    const shown = (await shop.visitor().send(`/dashboard/${shop.a.id}/test/audit`)).body;
    expect(shown).toMatch(/invited\s+Bia/);
    await shop.storage.close();
  });
});

test("a save of rights does not undo what someone else has saved meanwhile", async () => {
  const shop = await createDashboardShop();
  const { id } = await joinPerson(shop, { access: ["orders.refund", "exports"] });
  const page = `/dashboard/${shop.a.id}/test/people/${id}`;
  const rights = async () => (await shop.dashboard.people.list({ store_id: shop.a.id }))[0]?.access;
  const visitor = shop.visitor();
  const opened = formOf(await visitor.send(page), "save");
  await shop.dashboard.people.update({ store_id: shop.a.id, id, access: ["exports"] });

  opened.append("action", "keys.create");
  const late = await visitor.send(page, { form: opened });
  expect([late.status, late.body?.includes("Someone else has changed")]).toEqual([409, true]);
  expect(await rights()).toEqual(["exports"]);

  // The page keeps what was chosen, and the next save stores it.
  const shown = formOf(late, "save");
  expect(shown.getAll("action")).toEqual(expect.arrayContaining(["orders.refund", "keys.create"]));
  expect((await visitor.send(page, { form: shown })).status).toBe(303);
  expect(await rights()).toHaveLength(3);
  await shop.storage.close();
});

test("the rights of a person are chosen and shown in words", async () => {
  const shop = await createDashboardShop();
  const page = `/dashboard/${shop.a.id}/test/people`;
  await joinPerson(shop, { access: ["keys.create", "orders.refund"] });
  const textOf = async (address: string, language: string): Promise<string> =>
    (await shop.visitor().send(address, { headers: { "accept-language": language } })).body ?? "";

  const form = await textOf(`${page}/invite`, "en");
  for (const [action, text] of Object.entries(dashboardActions)) {
    expect(form).toContain(`value="${action}"`);
    expect(form).toContain(text.replace(/\.$/, "").replaceAll("'", "&#39;"));
  }
  expect(await textOf(page, "en")).toMatch(
    /2 actions<[\s\S]*<li>Refund an order, in whole or in part</,
  );
  expect(await textOf(page, "pt-BR")).toMatch(/2 ações<[\s\S]*<li>Reembolsar um pedido, inteiro/);
  await shop.storage.close();
});

describe("who invites", () => {
  test("gives no more than they have, and neither changes, lets in nor ends one who may do more", async () => {
    const shop = await createDashboardShop();
    const page = `/dashboard/${shop.a.id}/test/people`;
    const { id: above } = await joinPerson(shop, { name: "Owner" });
    const access = ["people.invite", "people.update", "people.end", "keys.create"] as const;
    const { visitor: bia } = await joinPerson(shop, { access });

    const more = await bia.submit(`${page}/invite`, "invite", { name: "Zoe", rights: "all" });
    expect([more.status, more.body?.includes("more than you may do")]).toEqual([422, true]);
    const listed = { name: "Zoe", rights: "some", action: ["keys.create", "keys.revoke"] };
    expect((await bia.submit(`${page}/invite`, "invite", listed)).status).toBe(422);

    const shown = await bia.send(`${page}/${above}`);
    expect(shown.body).toContain("may do more than you");
    expect(shown.body).not.toContain('value="save"');
    const own = await bia.send(page);
    const [, mine = ""] = /people\/(psn_[\w-]+)">Bia</.exec(own.body ?? "") ?? [];
    const form = await bia.send(`${page}/${mine}`);
    for (const name of ["save", "link"]) {
      const fields = filledIn(formOf(form, name), { rights: "read" });
      // The token is that of another address, as a forged form would have it.
      expect((await bia.send(`${page}/${above}`, { form: fields })).status).toBe(403);
    }
    const by = { actor: "Bia", stores: [shop.a.id], access };
    const named = { store_id: shop.a.id, id: above };
    const { people } = shop.dashboard;
    for (const call of [
      people.update({ ...named, access: "read" }, { by }),
      people.link(named, { by }),
      people.end(named, { by }),
      people.invite({ store_id: shop.a.id, name: "X", access: "all" }, { by }),
    ])
      expect(await thrownBy(call)).toMatchObject({ code: "parameter_invalid" });
    const elsewhere = { store_id: shop.b.id, name: "X", access: "read" } as const;
    expect(await thrownBy(people.invite(elsewhere, { by }))).toMatchObject({
      code: "resource_not_found",
    });
    expect(await people.list({ store_id: shop.a.id })).toHaveLength(2);
  });

  test("ends nobody who may do more by ending the one who has invited them", async () => {
    const shop = await createDashboardShop();
    const { people } = shop.dashboard;
    const page = `/dashboard/${shop.a.id}/test/people`;
    const low = ["people.end", "people.invite"] as const;
    const { id, visitor: bia } = await joinPerson(shop, { access: low });
    await bia.submit(`${page}/invite`, "invite", { name: "Caio", rights: "read" });
    const listed = await people.list({ store_id: shop.a.id });
    const caio = listed.find(({ name }) => name === "Caio")?.id ?? "";
    await people.update({ store_id: shop.a.id, id: caio, access: "all" });

    const { visitor: davi } = await joinPerson(shop, { name: "Davi", access: low });
    expect((await davi.send(`${page}/${id}/end`)).body).toContain("more than you may do yourself");
    const by = { actor: "Davi", stores: [shop.a.id], access: low };
    for (const keep of [null, [caio]])
      expect(await thrownBy(people.end({ store_id: shop.a.id, id, keep }, { by }))).toMatchObject({
        code: "parameter_invalid",
        param: "id",
      });
    expect(await people.list({ store_id: shop.a.id })).toHaveLength(3);
    await people.end({ store_id: shop.a.id, id });
    expect(await people.list({ store_id: shop.a.id })).toHaveLength(1);
  });

  test("ends nobody once the right to do so was taken away", async () => {
    const shop = await createDashboardShop();
    const { people } = shop.dashboard;
    const store_id = shop.a.id;
    const page = `/dashboard/${store_id}/test/people`;
    const { id: bia, visitor } = await joinPerson(shop, { access: ["people.end", "keys.create"] });
    const { id } = await joinPerson(shop, { name: "Caio", access: ["keys.create"] });
    const { dashboard } = shop.storage;
    const { endSession } = dashboard;
    for (const access of [["people.end"], ["keys.create"]] as const) {
      dashboard.endSession = async (ending, author) => {
        await people.update({ store_id, id: bia, access });
        return endSession.call(dashboard, ending, author);
      };
      const reply = await visitor.submit(`${page}/${id}/end`, "confirm");
      expect([303, 200]).not.toContain(reply.status);
      expect((await people.list({ store_id })).map(({ name }) => name)).toContain("Caio");
      await people.update({ store_id, id: bia, access: ["people.end", "keys.create"] });
    }
    dashboard.endSession = endSession;
    expect((await visitor.submit(`${page}/${id}/end`, "confirm")).status).toBe(303);
    expect(await people.list({ store_id })).toHaveLength(1);
  });

  test("takes along whom they have invited, but those who are kept", async () => {
    const shop = await createDashboardShop();
    const page = `/dashboard/${shop.a.id}/test/people`;
    const { id, visitor: bia } = await joinPerson(shop);
    const guests = ["Caio", "Davi"];
    const visitors = [];
    for (const name of guests) {
      const made = await bia.submit(`${page}/invite`, "invite", { name, rights: "read" });
      const visitor = shop.visitor(null);
      await pressLink(visitor, pathOf(made.body));
      visitors.push(visitor);
    }
    // Signing out ends none of them: they come from her, and not from the session.
    expect((await bia.submit("/dashboard/sign-out", "sign-out")).status).toBe(303);
    const listed = await shop.dashboard.people.list({ store_id: shop.a.id });
    const caio = listed.find(({ name }) => name === "Caio");
    const end = await shop.visitor().send(`${page}/${id}/end`);
    expect(end.body).toContain("Caio, Davi");
    const ended = await shop.visitor().submit(`${page}/${id}/end`, "confirm", {
      keep: caio?.id ?? "",
    });
    expect(ended.status).toBe(303);
    const left = await shop.dashboard.people.list({ store_id: shop.a.id });
    expect(left.map(({ name, invited_by }) => [name, invited_by])).toEqual([["Caio", "ana"]]);
    const statuses = await Promise.all(visitors.map((each) => each.send(page)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 401]);
  });

  test("cannot end the one from whom they come, nor invite through a link that ends", async () => {
    const shop = await createDashboardShop();
    const page = `/dashboard/${shop.a.id}/test`;
    const { id, visitor: bia } = await joinPerson(shop);
    const made = await bia.submit(`${page}/people/invite`, "invite", {
      name: "Caio",
      rights: "all",
    });
    const caio = shop.visitor(null);
    await pressLink(caio, pathOf(made.body));
    expect((await caio.send(`${page}/people/${id}/end`)).body).toContain(
      "you would end your own access",
    );

    const given = await shop.dashboard.links.create({
      store_id: shop.a.id,
      actor: "eva",
      access: "all",
    });
    const eva = shop.visitor(null);
    await pressLink(eva, pathOf(given.url));
    const invite = await eva.send(`${page}/people/invite`);
    expect(invite.body).toContain("You came by a link that ends");
    expect(invite.body).not.toContain('name="name"');
    // Nor does she get a link by which she would come back as somebody else.
    const shown = await eva.send(`${page}/people/${id}`);
    expect(shown.body).not.toContain("Make a new link");
    const asked = filledIn(formOf(shown, "save"), { do: "link" });
    const refused = await eva.send(`${page}/people/${id}`, { form: asked });
    expect([refused.status, refused.body?.includes("/dashboard/link/")]).toEqual([422, false]);
    // The right to end sessions is no right to end people.
    const form = filledIn(formOf(await eva.send(`${page}/sessions`), "end"), { session: id });
    expect((await eva.send(`${page}/sessions`, { form })).status).toBe(404);
    expect(await shop.dashboard.people.list({ store_id: shop.a.id })).toHaveLength(2);
  });
});

describe("what comes from a person", () => {
  test("lasts no longer than what is in between, so that the end of the person reaches it", async () => {
    const shop = await createDashboardShop();
    const page = `/dashboard/${shop.a.id}/test`;
    const { id, visitor: bia } = await joinPerson(shop);
    const give = async (from: Visitor, actor: string) => {
      const form = { actor, rights: "all", ttl_seconds: "86400" };
      const visitor = shop.visitor(null);
      await pressLink(visitor, pathOf((await from.submit(`${page}/sessions`, "link", form)).body));
      return visitor;
    };
    const caio = await give(bia, "caio");
    shop.advance(11 * hour);
    const eva = await give(caio, "eva");
    const late = pathOf(
      (await caio.submit(`${page}/sessions`, "link", { actor: "gil", ttl_seconds: "86400" })).body,
    );
    await shop.dashboard.people.update({ store_id: shop.a.id, id, access: "read" });
    expect((await eva.send(`${page}/products/new`)).status).toBe(403);
    expect((await eva.send(page)).status).toBe(200);
    shop.advance(hour);
    expect((await eva.send(page)).status).toBe(401);
    expect((await shop.visitor(null).send(late)).status).toBe(410);
  });

  test("tells who has made the link by which the person came this time", async () => {
    const shop = await createDashboardShop();
    const { id } = await joinPerson(shop);
    const page = `/dashboard/${shop.a.id}/test/people/${id}`;
    const made = await shop.visitor().submit(page, "link");
    const visitor = shop.visitor(null);
    await pressLink(visitor, pathOf(made.body));
    const { data } = await shop.owner.audit.list({ store_id: shop.a.id, action: "links.use" });
    const makers = data.map(({ actor, made_by }) => `${actor} by ${made_by}`);
    expect(makers.sort()).toEqual(["Bia by ana", "Bia by null"]);
  });
});

test.each(storages)(
  "nobody gives rights that they have lost meanwhile, on %s",
  async (_n, open) => {
    const shop = await createDashboardShop({ storage: await open() });
    const { people } = shop.dashboard;
    const store_id = shop.a.id;
    const page = `/dashboard/${store_id}/test/people`;
    const rights = ["people.update", "people.invite", "keys.create", "exports"] as const;
    const { id: bia, visitor } = await joinPerson(shop, { access: rights });
    const { id: caio } = await joinPerson(shop, { name: "Caio", access: "read" });
    const { records } = shop.storage;
    const { step } = records;
    // Someone takes rights from Bia after her request was checked, and before it is written.
    const losing = async (access: readonly string[], send: () => Promise<PageReply>) => {
      const form = { store_id, id: bia, access } as never;
      let isDone = false;
      records.step = async (subject, decide) => {
        if (!isDone && /^(updatePerson|invitePerson|removePasskey)$/.test(subject.step)) {
          isDone = true;
          await people.update(form);
        }
        return step.call(records, subject, decide as never) as never;
      };
      const reply = await send();
      records.step = step;
      await people.update({ store_id, id: bia, access: rights });
      return reply.status;
    };
    const given = { rights: "some", action: ["exports"] };
    const change = () => visitor.submit(`${page}/${caio}`, "save", given);
    const invite = () => visitor.submit(`${page}/invite`, "invite", { ...given, name: "Davi" });

    for (const send of [change, invite])
      for (const left of [["people.update", "people.invite"], ["exports"]])
        expect([left, await losing(left, send)]).toEqual([left, 422]);
    const listed = await people.list({ store_id });
    expect(listed.map(({ name, access }) => [name, access])).toEqual(
      expect.arrayContaining([["Caio", "read"]]),
    );
    expect(listed).toHaveLength(2);

    // Nobody is told that a passkey was removed which stays.
    const remove = () => visitor.submit(`${page}/${caio}`, "remove");
    const passkeys = async () =>
      (await people.list({ store_id })).find(({ id }) => id === caio)?.passkeys.length;
    expect([await losing(["exports"], remove), await passkeys()]).toEqual([404, 1]);
    expect([await losing(["people.update", "exports"], remove), await passkeys()]).toEqual([
      303, 0,
    ]);

    // What is left of the rights may be given.
    expect(await losing(["people.update", "exports"], change)).toBe(303);
    expect((await invite()).status).toBe(200);
    await shop.storage.close();
  },
);

test.each(storages)(
  "a new link for somebody ends with its maker's rights on %s",
  async (_n, open) => {
    const shop = await createDashboardShop({ storage: await open() });
    const { people } = shop.dashboard;
    const store_id = shop.a.id;
    const page = `/dashboard/${store_id}/test/people`;
    const rights = ["people.invite", "keys.create"] as const;
    const { id: bia, visitor } = await joinPerson(shop, { access: rights });
    const { id: caio } = await joinPerson(shop, { name: "Caio", access: ["keys.create"] });
    const linkBy = async (id: string): Promise<string> =>
      pathOf((await visitor.submit(`${page}/${id}`, "link")).body);
    const statusOf = async (path: string): Promise<number> =>
      (await shop.visitor(null).send(path)).status;
    const [link, own] = [await linkBy(caio), await linkBy(bia)];
    const byHost = pathOf((await people.link({ store_id, id: caio })).url);
    expect(await Promise.all([link, own, byHost].map(statusOf))).toEqual([200, 200, 200]);

    await people.update({ store_id, id: caio, access: "all" });
    expect(await Promise.all([link, own, byHost].map(statusOf))).toEqual([410, 200, 200]);
    await people.update({ store_id, id: caio, access: "read" });
    expect(await statusOf(link)).toBe(200);
    await people.end({ store_id, id: bia });
    expect(await Promise.all([link, own, byHost].map(statusOf))).toEqual([410, 410, 200]);
    await shop.storage.close();
  },
);

describe("the list of people", () => {
  test("is off unless the host turns it on", async () => {
    const shop = await createDashboardShop({ options: { people: false } });
    const page = `/dashboard/${shop.a.id}/test`;
    expect((await shop.visitor().send(`${page}/people`)).status).toBe(404);
    expect((await shop.visitor().send(page)).body).not.toContain("/people");
    expect((await shop.visitor(null).send("/dashboard/sign-in")).status).toBe(401);
    const input = { store_id: shop.a.id, name: "Bia", access: "read" } as const;
    expect(await thrownBy(shop.dashboard.people.invite(input))).toMatchObject({
      code: "invalid_option",
    });
  });

  test("has a name once in a store, and no one whom the host knows needs an invitation", async () => {
    const shop = await createDashboardShop();
    const { people } = shop.dashboard;
    const input = { store_id: shop.a.id, name: "Bia", access: "read" } as const;
    const { url } = await people.invite(input);
    expect(await thrownBy(people.invite({ ...input, name: "BIA" }))).toMatchObject({
      param: "name",
    });
    await people.invite({ ...input, store_id: shop.b.id });
    expect((await shop.visitor(everything).send(pathOf(url))).status).toBe(409);
    const known = await shop.visitor(everything).send("/dashboard/sign-in");
    expect([known.status, known.headers["location"]]).toEqual([303, "/dashboard"]);
    for (const wrong of [{ access: ["person"] }, { ttl_seconds: 604_801 }, { name: " " }])
      expect(await thrownBy(people.invite({ ...input, ...wrong } as never))).toMatchObject({
        code: "parameter_invalid",
      });
  });
});
