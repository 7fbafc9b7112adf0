import { describe, expect, test } from "vitest";
import { createScreen } from "../../adapters/cli/frame/screen.ts";
import { tableLines } from "../../adapters/cli/frame/table-lines.ts";

/** What a buyer has typed as a name: it would set the title, go up a line and erase it. */
const hostile = "Ana\x1b]0;owned\x07\x1b[1A\x1b[2K\x9b31m\x7f\r\nBia\x1b[8m";
const steers = /\x1b(?!\[[012]m|\[3[125]m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/;

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

  test("escapes it in JSON, which is read as it was", () => {
    const { screen, written } = open(true);
    screen.result({ name: hostile }, () => []);
    expect(written.out).not.toMatch(steers);
    expect(JSON.parse(written.out)).toEqual({ name: hostile });
  });
});
