/**
 * Writes a part of a PL/pgSQL function: it gives a row of kind `stock` for each of
 * `product_ids`, with its counts as JSON. `lock` follows the selection.
 */
export const giveStock = (lock = ""): string =>
  `
  for found_row in
    select t.product_id, t.stock, t.held, t.counted from {stock} as t
    where t.store_id = given_store and t.livemode = given_livemode
      and t.product_id = any(product_ids) ${lock}
  loop
    kind = 'stock';
    id = found_row.product_id;
    record = json_build_object(
      'stock', found_row.stock, 'held', found_row.held, 'counted', found_row.counted);
    return next;
  end loop;`.trim();
