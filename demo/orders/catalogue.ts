/** Something the shop sells; the price is in cents of Australian dollars. */
export interface Item {
  id: string
  name: string
  price: number
}

/** The most that one order may hold. */
export const MAX_QUANTITY = 10

export const LAMP: Item = { id: 'dusk-lamp', name: 'Dusk lamp', price: 12_900 }

/** For trying what a bank can say: the sandbox gateway goes by the cents of amounts from 9000.00 up. */
const TRIALS: Item[] = [51, 54, 59, 68, 69, 91, 92].map((cents) => ({
  id: `trial-${String(cents)}`,
  name: `Bank trial .${String(cents)}`,
  price: 900_000 + cents,
}))

/** The item of an id, or undefined. */
export function itemOf(id: string): Item | undefined {
  return [LAMP, ...TRIALS].find((item) => item.id === id)
}
