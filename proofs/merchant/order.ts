import type { Journal, Movement } from './journal.ts'
import type { End, MerchantServer } from './merchant-server.ts'

/** What is done with the money of an order once it is held or taken. */
const courses = ['take', 'hold', 'capture', 'capture part', 'cancel', 'refund', 'refund in parts'] as const

const TAKES_AT_ONCE: readonly string[] = [
  'take',
  'refund',
  'refund in parts',
] satisfies (typeof courses)[number][]

/** One in so many orders has an amount whose answer never comes, though it is applied (contract §4, cents .68). */
const UNANSWERED_ONE_IN = 100

/**
 * Carries out one order, from the card to its last refund, along a course that `random` (0 to 1) chooses. Every step is noted in
 * the journal before it is sent and when it is answered.
 */
export async function carryOut(
  order: string,
  server: MerchantServer,
  journal: Journal,
  random: () => number,
): Promise<void> {
  const course = courses[Math.floor(random() * courses.length)] ?? 'take'
  const amount = random() * UNANSWERED_ONE_IN < 1 ? 900_068 : 1000 + Math.floor(random() * 100_000)
  const move = async (
    type: 'sale' | 'capture' | 'cancel' | 'refund',
    cents: number,
    send: () => Promise<End>,
  ) => {
    const movement: Movement = `${order} ${type} ${cents}`
    journal.ask(movement)
    const end = await send()
    if (end.kind === 'done') journal.acknowledge(movement, order, end.charge.status)
    else journal.refuse(movement)
    return end
  }
  const token = await server.tokenise(`${order}-card`)
  const capture = TAKES_AT_ONCE.includes(course)
  const sale = { token, amount: inDollars(amount), reference: order, capture }
  const sold = await move('sale', amount, () => server.sell(`${order}-sale`, sale))
  if (sold.kind === 'refused') {
    if (sold.code !== 'gateway_unavailable') throw new Error(`order ${order} was refused: ${sold.code}`)
    return
  }
  const { _id: id } = sold.charge
  const refund = (cents: number) =>
    move('refund', cents, () => server.refund(`${order}-refund-${cents}`, id, inDollars(cents)))
  switch (course) {
    case 'take':
    case 'hold':
      return
    case 'capture':
      await move('capture', amount, () => server.capture(`${order}-capture`, id, inDollars(amount)))
      return
    case 'capture part':
      await move('capture', 700, () => server.capture(`${order}-capture`, id, inDollars(700)))
      await refund(700)
      return
    case 'cancel':
      await move('cancel', amount, () => server.cancel(`${order}-cancel`, id))
      return
    case 'refund':
      await refund(amount)
      return
    case 'refund in parts':
      await refund(300)
      await refund(400)
      return
  }
}

function inDollars(cents: number): string {
  return (cents / 100).toFixed(2)
}
