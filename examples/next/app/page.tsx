import { connection } from "next/server";
import { createClient } from "vitrine/client";
import { formatMoney } from "vitrine/money";
import { openShop } from "../shop.ts";
import { Buy } from "./buy.tsx";

/** Renders on the server. The client calls the API in the same process, and has no cache. */
export default async function Catalog() {
  await connection();
  const storefront = await openShop();
  const client = createClient({
    baseUrl: `${process.env["PUBLIC_URL"]}/v1`,
    key: process.env["NEXT_PUBLIC_SHOP_KEY"] ?? "",
    fetch: (url, init) => storefront.handler(new Request(url, init)),
  });
  const { data } = await client.listProducts();
  return (
    <main>
      <h1>Corner shop</h1>
      {data.map((product) => (
        <article key={product.id}>
          <h2>{product.name}</h2>
          <p>{formatMoney(product.price, product.currency, { locale: "en" })}</p>
          <Buy product_id={product.id} name={product.name} />
        </article>
      ))}
    </main>
  );
}
