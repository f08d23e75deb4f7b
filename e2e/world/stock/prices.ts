const PRICES = ['49.00', '12.50', '189.00', '7.95', '1240.00', '64.20', '320.00', '18.75', '96.40'] as const

/** The price of the nth order. */
export function priceOf(index: number): string {
  return pick(PRICES, index)
}

/** One of the items, in turn. */
export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}
