import { toNext } from "vitrine/next";
import { openShop } from "../../../shop.ts";

// Write "x-real-ip" behind a proxy that sets it; "shared" counts all buyers in one bucket.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(openShop, { ip: "shared" });
