import type { MasterKeys } from './key-stores/master-keys.ts'
import type { WrappedKeys } from './wrapped-keys.ts'

/** A master key that is not given, although something can be opened by it alone. */
interface LackingKey {
  id: string
  /** What needs it, in words. */
  of: string
  count: number
}

/** The master keys that stored data keys need and the vault lacks. */
export async function lackingKeys(places: readonly WrappedKeys[], keys: MasterKeys): Promise<LackingKey[]> {
  const lacking: LackingKey[] = []
  for (const { of, countByMasterKey } of places)
    for (const [id, count] of await countByMasterKey())
      if (!keys.ids.includes(id)) lacking.push({ id, of, count })
  return lacking
}

/** One line that says what is missing and what to do. */
export function wordsOn(lacking: readonly LackingKey[]): string {
  const needs = lacking.map(({ id, of, count }) => `the key ${id}, which ${count} ${of} need`)
  return (
    `the vault lacks ${needs.join(', and ')}. Give it too, after the others, until svc vault rotate has said that ` +
    'nothing is left under it; if it is lost, svc vault rotate --lost KEY_ID gives up what needs it.'
  )
}
