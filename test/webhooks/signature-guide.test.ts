import { describe, expect, test } from "vitest";
import { acceptedBy, deliveries, isInstalled, type Language } from "../support/languages.ts";

const languages: readonly Language[] = [
  {
    fence: "python",
    needs: "python3",
    files: (block) => ({
      "main.py":
        `${block}\n\nimport sys\nargs = iter(sys.argv[1:])\n` +
        "for body, header, secret, now in zip(args, args, args, args):\n" +
        "    print(verify(open(body, 'rb').read(), header, [secret], float(now)))\n",
    }),
    run: ["python3", "main.py"],
  },
  {
    fence: "sh",
    needs: "openssl",
    files: (block) => ({
      "main.sh":
        `${block}\nwhile [ $# -gt 0 ]; do\n` +
        'verify "$1" "$2" "$3" "$4" && echo true || echo false\nshift 4\ndone\n',
    }),
    run: ["sh", "main.sh"],
  },
];

// CI has both; on another machine a missing one is named in the list of tests.
const here = languages.filter((language) => process.env["CI"] === "true" || isInstalled(language));
for (const { needs } of languages.filter((language) => !here.includes(language)))
  test.skip(`docs/signature.md needs ${needs} to be tried here`, () => {});

describe.each(here)("the function of docs/signature.md in $fence", (language) => {
  const accepted = acceptedBy(language);

  test.each(deliveries.map((delivery, index) => ({ ...delivery, index })))(
    "$name: accepted is $accepted",
    (delivery) => {
      expect(accepted[delivery.index]).toBe(delivery.accepted);
    },
  );
});
