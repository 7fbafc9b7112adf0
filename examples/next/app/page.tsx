import { connection } from "next/server";
import type { Product } from "vitrine";
import { openShop } from "../shop.ts";
import { Buy } from "./buy.tsx";

/** A server component: it asks the API in process, without a socket, and caches nothing of its own. */
export default async function Catalog() {
  await connection();
  const storefront = await openShop();
  const headers = { authorization: `Bearer ${process.env["NEXT_PUBLIC_SHOP_KEY"]}` };
  const answer = await storefront.handler(new Request(`${process.env["PUBLIC_URL"]}/v1/products`, { headers }));
  const { data } = (await answer.json()) as { readonly data: readonly Product[] };
  return (
    <main>
      <h1>Corner shop</h1>
      {data.map((product) => (
        <article key={product.id}>
          <h2>{product.name}</h2>
          <p>{new Intl.NumberFormat("en", { style: "currency", currency: product.currency }).format(product.price / 100)}</p>
          <Buy product_id={product.id} name={product.name} />
        </article>
      ))}
    </main>
  );
}
