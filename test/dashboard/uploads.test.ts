import { beforeEach, describe, expect, test } from "vitest";
import {
  createDashboard,
  type DashboardFile,
  type DashboardUpload,
  type DashboardUploads,
} from "vitrine/dashboard";
import { pictureTypeOf } from "../../src/dashboard/forms/picture-type.ts";
import {
  createDashboardShop,
  type DashboardShop,
  everything,
  formOf,
} from "../support/dashboard-shop.ts";

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const png = bytesOf("\x89PNG\r\n\x1a\n....");
const publicUrl = "https://api.example.com";
const address = "https://cdn.example.com/cup.png";

interface Chosen {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name?: string;
  readonly type?: string;
}

describe("a picture of a product", () => {
  let shop: DashboardShop;
  let uploads: DashboardUpload[];
  let put: (upload: DashboardUpload) => { readonly url: string };
  beforeEach(async () => {
    shop = await createDashboardShop();
    uploads = [];
    put = () => ({ url: address });
  });

  const open = () =>
    createDashboard(shop.storefront, {
      path: "/dashboard",
      publicUrl,
      authorize: () => everything,
      uploads: {
        put(upload) {
          uploads.push(upload);
          return put(upload);
        },
      },
    });

  /** Opens a product's page, and sends its form with a file, as a browser without scripts does. */
  async function save(chosen: Chosen | null, changes: Readonly<Record<string, string>> = {}) {
    const { handler } = open();
    const url = `${publicUrl}/dashboard/${shop.a.id}/test/products/${shop.product.id}`;
    const page = await handler(new Request(url, { headers: { "accept-language": "en" } }));
    const shown = { status: page.status, headers: {}, body: await page.text() };
    expect(shown.body).toContain('enctype="multipart/form-data"');
    expect(shown.body).toContain('type="file" accept="image/png,image/jpeg,');

    const form = new FormData();
    for (const [name, value] of formOf(shown, "save"))
      if (name !== "upload") form.append(name, value);
    for (const [name, value] of Object.entries(changes)) form.set(name, value);
    const { bytes, name = "cup.png", type = "text/html" } = chosen ?? { bytes: bytesOf("") };
    form.set("upload", new File([bytes], name, { type }));
    const headers = {
      cookie: page.headers.get("set-cookie")?.split(";")[0] ?? "",
      "accept-language": "en",
      "sec-fetch-site": "same-origin",
    };
    const reply = await handler(new Request(url, { method: "POST", headers, body: form }));
    return { status: reply.status, body: await reply.text() };
  }

  const stored = async (): Promise<readonly string[]> =>
    (await shop.owner.products.retrieve(shop.a.id, shop.product.id)).images;

  test("is handed to the host, and its address becomes the product's last picture", async () => {
    const first = "https://cdn.example.com/first.png";
    expect((await save({ bytes: png }, { images: first })).status).toBe(303);
    expect(await stored()).toEqual([first, address]);
    const { id: store_id } = shop.a;
    expect(uploads).toEqual([
      { store_id, actor: "ana", name: "cup.png", type: "image/png", body: png },
    ]);

    expect((await save(null)).status).toBe(303);
    expect([uploads.length, await stored()]).toEqual([1, [first, address]]);
  });

  test("has a name that is no path", async () => {
    for (const name of ["C:\\temp\\..\\cup.png", "../../etc/cup.png", "a/cup.png"])
      await save({ bytes: png, name });
    expect(new Set(uploads.map(({ name }) => name))).toEqual(new Set(["cup.png"]));

    uploads.length = 0;
    for (const name of [".", "..", "a/..", "C:\\temp\\.", "...", " .. "])
      await save({ bytes: png, name });
    expect(uploads.map(({ name }) => name)).toEqual(Array(6).fill("picture"));
  });

  test("that is none, or is too large, is refused beside its field, with all that was typed", async () => {
    const svg = bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    const wrong = await save({ bytes: svg, name: "a.png", type: "image/png" }, { name: "New" });
    expect([wrong.status, wrong.body.includes('id="upload-error"')]).toEqual([422, true]);
    expect(wrong.body).toContain('value="New"');

    const large = new Uint8Array(5 * 1_048_576 + 1);
    large.set(png);
    const refused = await save({ bytes: large });
    expect([refused.status, refused.body.includes("larger than 5 MB")]).toEqual([422, true]);
    expect((await save({ bytes: large.subarray(0, -1) })).status).toBe(303);
    expect(uploads.map(({ body }) => body.length)).toEqual([5 * 1_048_576]);
  });

  test("in a form of many thousand parts is not read", async () => {
    const many = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`x${index}`, ""]));
    expect((await save({ bytes: png }, many)).status).toBe(413);
    expect(uploads).toEqual([]);
  });

  test("in a form that did not arrive whole is told as that, and not as too large", async () => {
    const url = `${publicUrl}/dashboard/${shop.a.id}/test/products/${shop.product.id}`;
    const part = '--x\r\ncontent-disposition: form-data; name="upload"; filename="a.png"\r\n\r\n';
    const bodies = ["", part, `${part}${"a".repeat(1_000)}`, `${part}a\r\n--y--\r\n`, "no parts"];
    for (const [language, told] of [
      ["en", "This form did not arrive whole"],
      ["pt-BR", "Este formulário não chegou inteiro"],
    ] as const)
      for (const body of bodies) {
        const headers = {
          "content-type": "multipart/form-data; boundary=x",
          "sec-fetch-site": "same-origin",
          "accept-language": language,
        };
        const reply = await open().handler(new Request(url, { method: "POST", headers, body }));
        expect([reply.status, (await reply.text()).includes(told)]).toEqual([400, true]);
      }
    expect([uploads, shop.errors]).toEqual([[], []]);
  });

  test("that the host cannot store is refused beside its field, and the host hears of it", async () => {
    for (const answer of [
      () => {
        throw new Error("The disk is full.");
      },
      () => ({ url: "javascript:alert(1)" }),
      () => null as never,
    ]) {
      put = answer;
      const { status, body } = await save({ bytes: png });
      expect([status, body.includes("could not be stored")]).toEqual([422, true]);
    }
    // The same mistake of the host is told of once a second, so that it may be told here twice.
    const told = shop.errors.map((error) => (error as Error).message);
    expect(new Set(told).size).toBe(2);
    expect(await stored()).toEqual([]);
  });

  test("that was stored is not lost when another field is wrong", async () => {
    const { status, body } = await save({ bytes: png }, { price: "a lot" });
    expect([status, body.includes(`${address}</textarea>`)]).toEqual([422, true]);
  });

  test("is taken with a right token alone", async () => {
    expect((await save({ bytes: png }, { token: "1.x" })).status).toBe(403);
    expect(uploads).toEqual([]);
  });

  test("cannot be chosen without the option, and a form that carries one is not read", async () => {
    const at = `/dashboard/${shop.a.id}/test/products/${shop.product.id}`;
    const visitor = shop.visitor();
    const page = await visitor.send(at);
    expect(page.body).not.toContain("multipart");
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    expect((await visitor.send(at, { form: formOf(page, "save"), headers })).status).toBe(413);
    expect(() =>
      createDashboard(shop.storefront, {
        path: "/dashboard",
        publicUrl,
        authorize: () => null,
        uploads: {} as never,
      }),
    ).toThrow(/uploads must have a function `put`/);
  });

  test("that a parser of the host has read first fails with a word to the host", async () => {
    const reply = await open().serve({
      method: "POST",
      target: `/dashboard/${shop.a.id}/test/products/new`,
      header: (name) =>
        ({ "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin" })[
          name
        ],
      body: async () => ({ parsed: { do: "create" } }),
    });
    expect(reply?.status).toBe(500);
    expect(String(shop.errors[0])).toContain("mount the dashboard in front of it");
  });
});

describe("a file that a product delivers", () => {
  let shop: DashboardShop;
  let taken: DashboardFile[];
  let putFile: NonNullable<DashboardUploads["putFile"]>;
  beforeEach(async () => {
    shop = await createDashboardShop();
    taken = [];
    putFile = () => ({ file: "goods/guide" });
  });

  async function save(file: File, changes: Readonly<Record<string, string>> = {}) {
    const { handler } = createDashboard(shop.storefront, {
      path: "/dashboard",
      publicUrl,
      authorize: () => everything,
      uploads: {
        put: () => ({ url: address }),
        putFile(upload) {
          taken.push(upload);
          return putFile(upload);
        },
      },
    });
    const url = `${publicUrl}/dashboard/${shop.a.id}/test/products/${shop.product.id}`;
    const page = await handler(new Request(url, { headers: { "accept-language": "en" } }));
    const shown = { status: page.status, headers: {}, body: await page.text() };
    const form = new FormData();
    for (const [name, value] of formOf(shown, "save"))
      if (!name.endsWith("upload")) form.append(name, value);
    for (const [name, value] of Object.entries(changes)) form.set(name, value);
    form.set("upload", new File([png], "cup.png"));
    form.set("delivery.upload", file);
    const headers = {
      cookie: page.headers.get("set-cookie")?.split(";")[0] ?? "",
      "accept-language": "en",
      "sec-fetch-site": "same-origin",
    };
    const reply = await handler(new Request(url, { method: "POST", headers, body: form }));
    return { status: reply.status, body: await reply.text() };
  }
  const stored = async () => shop.owner.products.retrieve(shop.a.id, shop.product.id);

  test("is handed to the host beside a picture, and is what the product delivers", async () => {
    const svg = new File([bytesOf("<svg/>")], "../guide.svg", { type: "image/svg+xml" });
    expect((await save(svg, { "delivery.limit": "3" })).status).toBe(303);
    const { id: store_id } = shop.a;
    expect(taken).toEqual([
      { store_id, actor: "ana", name: "guide.svg", type: "image/svg+xml", body: bytesOf("<svg/>") },
    ]);
    const { delivery, images } = await stored();
    const file = { type: "file", file: "goods/guide", name: "guide.svg", max_downloads: 3 };
    expect([delivery, images]).toEqual([file, [address]]);

    await save(new File([png], ".."), { "delivery.name": "Guide.pdf" });
    expect([taken[1]?.name, (await stored()).delivery]).toMatchObject([
      "file",
      { name: "Guide.pdf" },
    ]);
  });

  test("that is too large, or that the host cannot store, is refused beside its field", async () => {
    const large = new File([new Uint8Array(30 * 1_048_576 + 1)], "a.zip");
    const refused = await save(large, { name: "New" });
    expect([refused.status, refused.body.includes("larger than 30 MB")]).toEqual([422, true]);
    expect([refused.body.includes('value="New"'), taken]).toEqual([true, []]);

    for (const answer of [
      () => {
        throw new Error("The disk is full.");
      },
      () => ({ file: " " }),
      () => null as never,
    ]) {
      putFile = answer;
      const { status, body } = await save(new File([png], "a.zip"));
      expect([status, body.includes("could not be stored")]).toEqual([422, true]);
    }
    expect((await stored()).delivery).toBeNull();
  });

  test("that was stored is not lost when another field is wrong", async () => {
    const { status, body } = await save(new File([png], "a.zip"), { price: "a lot" });
    expect([status, body.includes("goods/guide</textarea>")]).toEqual([422, true]);
  });

  test("cannot be chosen without putFile", async () => {
    const uploads = { put: () => ({ url: address }) };
    const of = { path: "/dashboard", publicUrl, authorize: () => everything };
    const { handler } = createDashboard(shop.storefront, { ...of, uploads });
    const url = `${publicUrl}/dashboard/${shop.a.id}/test/products/${shop.product.id}`;
    expect(await (await handler(new Request(url))).text()).not.toContain("delivery.upload");
    const wrong = { ...uploads, putFile: "disk" as never };
    expect(() => createDashboard(shop.storefront, { ...of, uploads: wrong })).toThrow(
      /uploads must have a function as `putFile`/,
    );
  });
});

test.each([
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"],
  ["\x00\x00\x00\x14ftypavif\x00\x00\x00\x00", "image/avif"],
  ["\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1avif", "image/avif"],
  ["\x00\x00\x00\x14ftypmif1\x00\x00\x00\x00mif1avif", null],
  ["\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", null],
  ["RIFF\x00\x00\x00\x00WAVE", null],
  ["<svg", null],
  ["\x89PNG", null],
  ["", null],
])("a file that begins with %j is %s", (text, type) => {
  expect(pictureTypeOf(bytesOf(text))).toBe(type);
});
