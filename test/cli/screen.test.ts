import { describe, expect, test } from "vitest";
import type { Host } from "../../adapters/cli/frame/host.ts";
import type { Input } from "../../adapters/cli/frame/input.ts";
import { createScreen } from "../../adapters/cli/frame/screen.ts";
import { findStore } from "../../adapters/cli/frame/store.ts";
import { recordLines, tableLines } from "../../adapters/cli/frame/table-lines.ts";

/** What a buyer has typed as a name: it would set the title, go up a line, erase and turn it. */
const hostile = "Ana\x1b]0;owned\x07\x1b[1A\x1b[2K\x9b31m\x7f\u202etset\u2066\r\nBia\x1b[8m";
const steers =
  /\x1b(?!\[[012]m|\[3[125]m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

describe.each([true, false])("a screen whose terminal is %s", (isTTY) => {
  const open = (json: boolean) => {
    const written = { out: "", err: "" };
    const screen = createScreen({
      json,
      out: { isTTY, write: (text) => (written.out += text) },
      err: { isTTY, write: (text) => (written.err += text) },
      stdinIsTerminal: false,
      environment: {},
      now: () => 1_000,
    });
    return { screen, written };
  };

  test("shows what owners and buyers have written without what steers a terminal", () => {
    const { screen, written } = open(false);
    const columns = [{ title: "name", value: (name: string) => name }];
    screen.result({}, () => tableLines([hostile], columns, screen));
    screen.item({}, () => screen.paint.good(hostile));
    screen.line(hostile);
    screen.note(screen.paint.bad(hostile));
    expect(written.out + written.err).not.toMatch(steers);
    expect(written.out).toContain("Bia");
    if (isTTY) expect(written.out).toContain("\x1b[32mAna");
  });

  test("takes no colour from a text, which may have the codes of its own colours", () => {
    const { screen, written } = open(false);
    const coloured = "\x1b[31m refused \x1b[0m\x1b[1m\x1b[2m Ana";
    screen.result({}, () => recordLines({ name: coloured }));
    screen.line(coloured);
    screen.progress(coloured);
    screen.redraw([coloured]);
    expect(written.out + written.err).not.toMatch(/\x1b\[\d+m/);
    // A text that has seen what the screen writes knows no more.
    screen.line(screen.paint.good("known"));
    const seen = written.out.slice(-40);
    const before = written.out.length;
    screen.line(seen.replace("known", "copied"));
    expect(written.out.slice(before)).not.toMatch(/\x1b/);
    screen.note(screen.paint.bad("wrong"));
    expect(written.err).toContain(isTTY ? "\x1b[31mwrong\x1b[0m" : "wrong");
  });

  test("shows no line of a text as a field of the record", () => {
    const { screen, written } = open(false);
    const record = {
      id: "ord_1",
      customer: { name: "Ana\r\nstatus         paid\nid  x" },
      status: "failed",
    };
    screen.result({}, () => recordLines(record));
    expect(written.out.match(/^\S+/gm)).toEqual(["id", "customer.name", "status"]);
    expect(written.out).toContain("\n               status         paid\n               id  x\n");
  });

  test("escapes it in JSON, which is read as it was", () => {
    const { screen, written } = open(true);
    screen.result({ name: hostile }, () => []);
    expect(written.out).not.toMatch(steers);
    expect(JSON.parse(written.out)).toEqual({ name: hostile });
  });
});

test("a store's name begins no line of its own where stores are named", async () => {
  const stores = [
    { id: "str_1", slug: "a", name: "A\n  str_9  Main · test mode" },
    { id: "str_2", slug: "b", name: "B" },
  ];
  const list = async ({ search }: { search?: string }) => ({
    data: search === undefined ? stores : stores.slice(0, 1),
  });
  const host = { storefront: { owner: { stores: { list } } } } as unknown as Host;
  const input = (store?: string) => ({ flag: () => true, text: () => store }) as unknown as Input;

  expect((await findStore(host, input("str_1"))).name).toBe("A str_9 Main · test mode");
  const said = await findStore(host, input()).catch(String);
  expect(said).toMatch(/--store:\n {2}str_1 {2}A str_9 Main · test mode\n {2}str_2 {2}B$/);
});
