import type { MasterKeys } from './master-keys.ts'
import type { WrappedKeys } from './wrapped-keys.ts'

/**
 * Erases what only a lost master key could open, where that can be got again by asking (a card), and says what was
 * erased. Throws when the key is not lost: it is one of those given.
 */
export async function giveUpLostKey(
  id: string,
  keys: MasterKeys,
  places: readonly WrappedKeys[],
  say: (words: string) => void,
): Promise<void> {
  if (keys.ids.includes(id)) throw new Error(`the key ${id} is not lost: the vault has it`)
  for (const { of, erase } of places) {
    const erased = await erase(id)
    say(
      erased === null
        ? `${of} under the key ${id} are kept: enter them anew`
        : `${of} erased with the key ${id}: ${erased}`,
    )
  }
}
