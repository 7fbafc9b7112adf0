import { connection } from "next/server";
import { formatMoney } from "vitrine/money";
import { client } from "../client.ts";
import { buy } from "./buy.ts";

export default async function Catalog() {
  await connection(); // Without it, `next build` renders this page once and for good.
  const { data: products } = await (await client()).listProducts();
  return products.map(({ id, name, price, currency }) => (
    <form key={id} action={buy.bind(null, id)}>
      <h2>{name}</h2>
      <p>
        {formatMoney(price, currency, { locale: "en" })} <button type="submit">Buy {name}</button>
      </p>
    </form>
  ));
}
