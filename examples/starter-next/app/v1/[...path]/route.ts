import { after } from "next/server";
import { toNext } from "vitrine/next";
import { storefront } from "../../../shop.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(storefront, {
  ip: process.env["CLIENT_IP_HEADER"] || "shared",
  waitUntil: after,
});
