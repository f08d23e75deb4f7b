/** Something the shop sells; the price is in cents of Australian dollars. */
export interface Item {
  id: string
  name: string
  price: number
}

/** Largest quantity of one order. */
export const MAX_QUANTITY = 10

export const LAMP: Item = { id: 'dusk-lamp', name: 'Dusk lamp', price: 12_900 }

/** For trying bank responses: from 9000.00 up, the sandbox gateway chooses its response by the cents. */
const TRIALS: Item[] = [51, 54, 59, 68, 69, 91, 92].map((cents) => ({
  id: `trial-${String(cents)}`,
  name: `Bank trial .${String(cents)}`,
  price: 900_000 + cents,
}))

/** The item with an id, or undefined. */
export function itemOf(id: string): Item | undefined {
  return [LAMP, ...TRIALS].find((item) => item.id === id)
}
