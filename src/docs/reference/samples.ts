import { type Html, html } from "../../contract/html.ts";
import type { OpenApiDocument } from "../../contract/openapi/openapi.ts";
import { answerExample, follow, type ListedOperation, requestExample } from "../document.ts";
import { codeBlock } from "../markup.ts";
import type { Reading } from "../reading.ts";
import { isObject, listOf } from "./json.ts";

// Each operation is shown as a call in three languages. The calls use only what the languages
// bring, and no package.

/** A reader chooses among these languages, in the order of the choice. */
export const languages = { curl: "curl", javascript: "JavaScript", python: "Python" } as const;
export type Language = keyof typeof languages;

/** A header whose value ends with an environment variable that the caller has set. */
interface SampleHeader {
  readonly name: string;
  readonly text: string;
  readonly variable?: string;
}

interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly SampleHeader[];
  /** The body is undefined when the call sends none. */
  readonly body: unknown;
  /** False means that the answer is a feed, which is shown as it comes. */
  readonly isJson: boolean;
}

/** Gives the samples of the operation as plain text. `body` takes the place of its example. */
export function samplesOf(
  document: OpenApiDocument,
  listed: ListedOperation,
  body: unknown = requestExample(document, listed.operation),
): Readonly<Record<Language, string>> {
  const call = sampleCall(document, listed, body);
  return {
    curl: writeCurl(call),
    javascript: writeJavaScript(call),
    python: writePython(call),
  };
}

export function renderSamples(reading: Reading, listed: ListedOperation, body?: unknown): Html {
  const samples = samplesOf(reading.document, listed, body);
  const blocks = (Object.keys(languages) as Language[]).map((language) =>
    codeBlock(reading, languages[language], samples[language], language),
  );
  return html`${blocks}`;
}

/**
 * Gives the address of the API for samples. It always has a host, because samples
 * do not run in a page.
 */
export function baseAddress(document: OpenApiDocument): string {
  const url = document.servers[0]?.url ?? "";
  return url.startsWith("/") ? `https://api.example.com${url === "/" ? "" : url}` : url;
}

function sampleCall(document: OpenApiDocument, listed: ListedOperation, body: unknown): SampleCall {
  const { operation, method, path } = listed;
  const parameters = listOf(operation["parameters"]).map((part) => follow(document, part));

  // A filter would make the first call of a new store answer with nothing.
  const shown = parameters.filter(
    (part) => part["in"] === "path" || part["name"] === "limit" || isAsked(part),
  );
  const filled = shown.reduce(
    (text, part) => text.replace(`{${part["name"]}}`, String(part["example"])),
    path,
  );
  const query = shown
    .filter((part) => part["in"] === "query")
    .map((part, index) => `${index === 0 ? "?" : "&"}${part["name"]}=${part["example"]}`)
    .join("");

  const asksBuyer = listOf(operation["security"])
    .filter(isObject)
    .every((way) => "customerToken" in way);
  const isIdempotent = parameters.some((part) => part["name"] === "Idempotency-Key");
  const headers: readonly SampleHeader[] = [
    { name: "Authorization", text: "Bearer ", variable: "STOREFRONT_KEY" },
    ...(asksBuyer
      ? [{ name: "X-Service-Customer-Token", text: "", variable: "CUSTOMER_TOKEN" }]
      : []),
    ...(isIdempotent ? [{ name: "Idempotency-Key", text: "", variable: "PURCHASE_ID" }] : []),
    ...(body === undefined ? [] : [{ name: "Content-Type", text: "application/json" }]),
  ];
  const url = `${baseAddress(document)}${filled}${query}`;
  const isJson = answerExample(document, operation) !== undefined;
  return { method, url, headers, body, isJson };
}

const isAsked = (part: Readonly<Record<string, unknown>>): boolean =>
  part["in"] === "query" && part["required"] === true;

function writeCurl({ method, url, headers, body }: SampleCall): string {
  const parts = [
    isImplied(method, body) ? `curl "${url}"` : `curl -X ${method} "${url}"`,
    ...headers.map(({ name, text, variable }) => {
      const value = variable === undefined ? text : `${text}$${variable}`;
      return `-H "${name}: ${value}"`;
    }),
    // A quote inside single quotes is written as '\''.
    ...(body === undefined ? [] : [`-d '${indented(body).replaceAll("'", "'\\''")}'`]),
  ];
  return parts.join(" \\\n  ");
}

function writeJavaScript({ method, url, headers, body, isJson }: SampleCall): string {
  const rows = headers.map(({ name, text, variable }) => {
    const label = /^[A-Za-z]+$/.test(name) ? name : JSON.stringify(name);
    if (variable === undefined) return `    ${label}: ${JSON.stringify(text)},`;
    const read = `process.env.${variable}`;
    return `    ${label}: ${text === "" ? read : `\`${text}\${${read}}\``},`;
  });
  const lines = [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
    "  headers: {",
    ...rows,
    "  },",
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body, "  ")}),`]),
    "});",
    ...(isJson
      ? [
          "const answer = await response.json();",
          "if (!response.ok) throw new Error(JSON.stringify(answer.error));",
          "console.log(answer.data);",
        ]
      : [
          "const answer = await response.text();",
          "if (!response.ok) throw new Error(answer);",
          "console.log(answer);",
        ]),
  ];
  return lines.join("\n");
}

/** Tells whether curl and Python choose this method by themselves: POST with a body, else GET. */
const isImplied = (method: string, body: unknown): boolean =>
  method === (body === undefined ? "GET" : "POST");

function writePython({ method, url, headers, body, isJson }: SampleCall): string {
  const rows = headers.map(({ name, text, variable }) => {
    const read = `os.environ["${variable}"]`;
    const value = variable === undefined ? JSON.stringify(text) : read;
    const joined =
      variable !== undefined && text !== "" ? `${JSON.stringify(text)} + ${read}` : value;
    return `        ${JSON.stringify(name)}: ${joined},`;
  });
  const lines = [
    ...(isJson ? ["import json"] : []),
    "import os",
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen",
    "",
    "request = Request(",
    `    ${JSON.stringify(url)},`,
    ...(body === undefined
      ? []
      : [`    data=json.dumps(${pythonLiteral(body, "    ")}).encode(),`]),
    "    headers={",
    ...rows,
    "    },",
    ...(isImplied(method, body) ? [] : [`    method=${JSON.stringify(method)},`]),
    ")",
    "try:",
    "    with urlopen(request) as response:",
    `        print(${isJson ? 'json.load(response)["data"]' : "response.read().decode()"})`,
    "except HTTPError as error:",
    "    raise SystemExit(error.read().decode())",
  ];
  return lines.join("\n");
}

/** Writes the value as JSON. Every line after the first begins with `margin`. */
const indented = (value: unknown, margin = ""): string =>
  JSON.stringify(value, null, 2).replaceAll("\n", `\n${margin}`);

function pythonLiteral(value: unknown, margin: string): string {
  const inner = `${margin}    `;
  const block = (rows: readonly string[], open: string, close: string): string =>
    rows.length === 0
      ? `${open}${close}`
      : `${open}\n${rows.map((row) => `${inner}${row},\n`).join("")}${margin}${close}`;

  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    const rows = value.map((item) => pythonLiteral(item, inner));
    return block(rows, "[", "]");
  }
  if (isObject(value)) {
    const rows = Object.entries(value).map(
      ([name, part]) => `${JSON.stringify(name)}: ${pythonLiteral(part, inner)}`,
    );
    return block(rows, "{", "}");
  }
  return JSON.stringify(value);
}
