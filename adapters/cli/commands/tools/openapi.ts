import type { Call } from "../../frame/command.ts";
import { writeOut } from "../../frame/files/out-file.ts";

/** Writes the OpenAPI document of this version. */
export async function run({ input, screen }: Call): Promise<void> {
  const { openApiDocument } = await import("vitrine/openapi");
  const serverUrl = input.text("server");
  const document = openApiDocument(serverUrl === undefined ? {} : { serverUrl });

  const out = input.text("out");
  const text = JSON.stringify(document, null, 2);
  if (out === undefined) return screen.result(document, () => [text]);

  writeOut(out, `${text}\n`);
  screen.result({ out }, () => [`The document is in ${out}.`]);
}
