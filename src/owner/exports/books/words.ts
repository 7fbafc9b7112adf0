import type { PaymentMethod } from "../../../contract/schemas.ts";
import type { BooksColumn } from "./book-columns.ts";
import type { MovementKind } from "./movements.ts";

/** What the books say in one language. */
interface BooksWords {
  readonly heads: Readonly<Record<BooksColumn, string>>;
  readonly kinds: Readonly<Record<MovementKind, string>>;
  readonly methods: Readonly<Record<PaymentMethod["type"], string>>;
}

const english: BooksWords = {
  heads: {
    date: "Date",
    time: "Time",
    kind: "Entry",
    order_number: "Order",
    order_id: "Order ID",
    reference: "Reference",
    product: "Product",
    product_slug: "Product code",
    quantity: "Quantity",
    unit_amount: "Unit price",
    currency: "Currency",
    subtotal: "Before discount",
    discount: "Discount",
    gross: "Gross",
    refunded: "Refund",
    charged_back: "Chargeback",
    net: "Net",
    fee: "Fee",
    after_fees: "After fees",
    method: "Payment method",
    coupon: "Coupon",
    customer: "Customer",
    email: "E-mail",
    tax_id: "Tax ID",
    country: "Country",
  },
  kinds: {
    sale: "Sale",
    fee: "Fee",
    refund: "Refund",
    chargeback: "Chargeback",
    correction: "Correction",
  },
  methods: {
    pix: "Pix",
    card: "Card",
    boleto: "Boleto",
    wallet: "Wallet",
    crypto: "Cryptocurrency",
    other: "Other",
  },
};

const portuguese: BooksWords = {
  heads: {
    date: "Data",
    time: "Hora",
    kind: "Lançamento",
    order_number: "Pedido",
    order_id: "ID do pedido",
    reference: "Referência",
    product: "Produto",
    product_slug: "Código do produto",
    quantity: "Quantidade",
    unit_amount: "Preço unitário",
    currency: "Moeda",
    subtotal: "Antes do desconto",
    discount: "Desconto",
    gross: "Bruto",
    refunded: "Reembolso",
    charged_back: "Disputa perdida",
    net: "Líquido",
    fee: "Taxa",
    after_fees: "Após taxas",
    method: "Forma de pagamento",
    coupon: "Cupom",
    customer: "Cliente",
    email: "E-mail",
    tax_id: "CPF ou CNPJ",
    country: "País",
  },
  kinds: {
    sale: "Venda",
    fee: "Taxa",
    refund: "Reembolso",
    chargeback: "Disputa perdida",
    correction: "Acerto",
  },
  methods: {
    pix: "Pix",
    card: "Cartão",
    boleto: "Boleto",
    wallet: "Carteira digital",
    crypto: "Criptomoeda",
    other: "Outra",
  },
};

/** Gives the words of a language. Other languages than Portuguese get the English ones. */
export const booksWords = (locale: string): BooksWords =>
  new Intl.Locale(locale).language === "pt" ? portuguese : english;
