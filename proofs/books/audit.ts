import type { Journal } from '../merchant/journal.ts'
import type { Books } from './books.ts'

/**
 * Compares the merchant's journal with the books, and these with the gateway's ledger, while orders are under way: what was
 * acknowledged before the comparison must be there; nothing may be there twice, or without having been asked for. Throws with
 * everything that is wrong.
 */
export async function auditMeanwhile(journal: Journal, books: Books): Promise<void> {
  const acknowledged = [...journal.acknowledged]
  const differences = await books.differences()
  const movements = await books.movements()
  const asked = new Set<string>(journal.asked)
  refuseAny([
    ...differences,
    ...acknowledged.filter((movement) => !movements.has(movement)).map((movement) => `lost: ${movement}`),
    ...[...movements].filter(([, times]) => times > 1).map(([movement]) => `doubled: ${movement}`),
    ...[...movements.keys()].filter((movement) => !asked.has(movement)).map((one) => `not asked: ${one}`),
  ])
}

/**
 * The same once every order has its answers: the books contain what was acknowledged and nothing else, each charge has
 * the status that its merchant was told last, and every attempt has an outcome.
 */
export async function auditInTheEnd(journal: Journal, books: Books): Promise<void> {
  await auditMeanwhile(journal, books)
  const movements = await books.movements()
  const statuses = await books.statuses()
  const open = await books.openAttempts()
  const acknowledged = new Set<string>(journal.acknowledged)
  refuseAny([
    ...[...movements.keys()]
      .filter((movement) => !acknowledged.has(movement))
      .map((movement) => `done, and not acknowledged: ${movement}`),
    ...[...journal.statuses]
      .filter(([order, status]) => statuses.get(order) !== status)
      .map(
        ([order, status]) => `${order} was acknowledged ${status} and is ${statuses.get(order) ?? 'gone'}`,
      ),
    ...(open > 0 ? [`${open} attempts have no outcome`] : []),
  ])
}

const MAX_SHOWN = 20

function refuseAny(faults: readonly string[]): void {
  if (faults.length === 0) return
  throw new Error(`${faults.length} faults:\n${faults.slice(0, MAX_SHOWN).join('\n')}`)
}
