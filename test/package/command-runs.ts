// What the package check types for each command of `vitrine`.

interface CommandRun {
  typed: string;
  /** Folder within the project; the project itself when absent. */
  folder?: string;
  /** Name that later lines use, and the field of the answer that it stands for. */
  gives?: Record<string, string>;
  /** Text that the command writes before it is ended by Ctrl-C; it ends itself when absent. */
  until?: string;
  /** Whether the API is asked meanwhile. */
  asks?: boolean;
}

/** An address that a store may have, though nobody is told anything there. */
const unusedUrl = "https://8.8.8.8/hook";

/**
 * What is typed for each command of the table, in this order. `{name}` stands for what an earlier
 * answer gave.
 */
export const commandRuns: CommandRun[] = [
  { typed: "init --host node --database sqlite --no-install", folder: "again" },
  { typed: "migrate --yes" },
  { typed: "doctor" },
  { typed: "sql postgres --out shop.sql" },
  { typed: "stores list" },
  { typed: "stores show" },
  { typed: "stores update name=Armazém" },
  { typed: "products create name=Tea price:=900 currency=BRL", gives: { product: "id" } },
  { typed: "products list" },
  { typed: "products show {product}" },
  { typed: "products update {product} price:=950" },
  { typed: "products delete {product}" },
  { typed: "keys create kind=secret --secret-to key.txt", gives: { key: "id" } },
  { typed: "keys list" },
  { typed: "keys show {key}" },
  { typed: "keys revoke {key}" },
  { typed: "origins add https://shop.example.com" },
  { typed: "origins list" },
  { typed: "origins remove https://shop.example.com" },
  { typed: "return-urls add https://shop.example.com/ok" },
  { typed: "return-urls list" },
  { typed: "return-urls remove https://shop.example.com/ok" },
  {
    typed: "coupons create code=TEN discount_type=percentage discount_amount:=10",
    gives: { coupon: "id" },
  },
  { typed: "coupons list" },
  { typed: "coupons show {coupon}" },
  { typed: "coupons update {coupon} enabled:=false" },
  { typed: "coupons delete {coupon}" },
  {
    typed: `endpoints create url=${unusedUrl} event_types:=["order.chargeback"]`,
    gives: { endpoint: "id" },
  },
  { typed: "endpoints list" },
  { typed: "endpoints show {endpoint}" },
  { typed: `endpoints update {endpoint} url=${unusedUrl}s` },
  { typed: "endpoints disable {endpoint}" },
  { typed: "endpoints enable {endpoint} --replay-since 1h" },
  { typed: "endpoints rotate-secret {endpoint} --secret-to hook.txt" },
  { typed: "trigger order.paid", gives: { event: "id" } },
  { typed: "events show {event}" },
  { typed: "events tail --since start --url {url}", until: "order.paid" },
  { typed: "listen --since start --url {url} --forward-to {receiver}", until: "order.paid" },
  { typed: "events resend {event}" },
  { typed: "deliveries list" },
  { typed: "replay --endpoint {endpoint} --since 2h" },
  { typed: "endpoints delete {endpoint}" },
  { typed: "requests tail", until: '"status"', asks: true },
  { typed: "drain --yes" },
  { typed: "maintain --yes" },
  { typed: "archive --folder archive --month 2024-03 --yes" },
  { typed: "clock --by 1d" },
  { typed: "stats --hours 1" },
  { typed: "import products.jsonl" },
  { typed: "openapi --out openapi.json" },
  { typed: "conformance --grep refund --yes" },
  { typed: "mock --port 0", until: "secret_key" },
  { typed: "completion bash" },
  // A second store makes the commands above ask which one they are about.
  { typed: "stores create name=Second currency=BRL --yes" },
  { typed: "seed --name Third --secret-to third.txt" },
];
