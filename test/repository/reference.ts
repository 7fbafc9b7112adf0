import { join } from "node:path";
import { expect, test } from "vitest";
import { type PublicErrorCode, publicErrors, serviceErrors } from "../../src/contract/errors.ts";
import { remedies } from "../../src/contract/openapi/error-remedies.ts";
import { exportsOf, realOf, root } from "./public-program.ts";
import { subpaths } from "./subpaths.mjs";
import { referenceOf, referencePages, sentencesOf } from "./write-reference.ts";

// docs/reference tells in sentences what each subpath exports. This writes it:
//   npm run docs

test.each(subpaths)("every public name of $name has a sentence", ({ source }) => {
  const silent = exportsOf(source).filter((symbol) => sentencesOf(realOf(symbol)) === "");
  expect(silent.map(({ name }) => name)).toEqual([]);
});

const pages = referencePages(subpaths);

test.each(pages)("the page $file of the reference is current", async (page) => {
  const file = join(root, `docs/reference/${page.file}.md`);
  await expect(referenceOf(page, pages)).toMatchFileSnapshot(file);
});

test("the reference of the errors is current", async () => {
  const ofApi = (Object.keys(publicErrors) as PublicErrorCode[]).map((code) => {
    const [status, , message] = publicErrors[code];
    return `### ${code}\n\nStatus ${status}. ${[message, remedies[code]].filter(Boolean).join(" ")}`;
  });
  const ofServices = Object.entries(serviceErrors).map(
    ([code, [status, message]]) => `### ${code}\n\nStatus ${status}. ${message}`,
  );
  const text = [
    "# Errors",
    "Everything that this package throws on purpose is an `ApiError`. Decide by `code`, because " +
      "`message` may change; `param` names the parameter at fault. `isApiError` knows one of any " +
      "copy of the package.",
    "## Of the public API",
    ...ofApi,
    "## Of the services alone",
    ...ofServices,
  ];
  await expect(`${text.join("\n\n")}\n`).toMatchFileSnapshot(
    join(root, "docs/reference/errors.md"),
  );
});

test("the list of the reference names every subpath", async () => {
  const rows = pages.map(({ file, title }) =>
    file === "storage"
      ? `- ${title}: \`docs/reference/storage.md\` in the repository, which the package leaves out`
      : `- [${title}](${file}.md)`,
  );
  const text = [
    "# Reference",
    "What each subpath exports, in sentences from the docstrings. The package's declarations have " +
      "the exact types.",
    [...rows, "- [Errors](errors.md)"].join("\n"),
  ];
  await expect(`${text.join("\n\n")}\n`).toMatchFileSnapshot(
    join(root, "docs/reference/README.md"),
  );
});
