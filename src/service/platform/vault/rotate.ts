import type { MasterKeys, WrappedKey } from './key-stores/master-keys.ts'
import { lackingKeys, lackingKeysMessage } from './check-master-keys.ts'
import type { Vault } from './vault.ts'
import type { WrappedKeys } from './wrapped-keys.ts'

interface Rotation {
  vault: Vault
  keys: MasterKeys
  places: readonly WrappedKeys[]
  /** Called with lines that say how many data keys are under which master key. */
  say: (words: string) => void
}

/**
 * Wraps every data key again with the current master key, beside running services that have all of the keys. It can be interrupted
 * and run again. Returns false if some data keys are still under another master key: a service that lacks the new one has wrapped
 * them meanwhile. Throws if a master key is missing, and then changes nothing.
 */
export async function rotateVault({ vault, keys, places, say }: Rotation): Promise<boolean> {
  const lacking = await lackingKeys(places, keys)
  if (lacking.length > 0) throw new Error(lackingKeysMessage(lacking))
  for (const place of places) await rewrapAll(place, vault, keys.currentId)
  let isDone = true
  for (const place of places) {
    const counts = await place.countByMasterKey()
    for (const id of new Set([...keys.ids, ...counts.keys()])) {
      const count = counts.get(id) ?? 0
      say(`${place.of} under the key ${id}: ${count}`)
      if (id !== keys.currentId && count > 0) isDone = false
    }
  }
  return isDone
}

async function rewrapAll(place: WrappedKeys, vault: Vault, currentKeyId: string): Promise<void> {
  for await (const batch of place.notUnder(currentKeyId)) {
    const rewrapped: WrappedKey[] = []
    for (const kept of batch) rewrapped.push(await vault.rewrap(kept, kept.place))
    await place.replace(batch, rewrapped)
  }
}

/**
 * Erases what only a lost master key could open, where it can be collected again (a card), and says what was erased. Throws if the
 * vault has the key, and if nothing was ever kept under it.
 */
export async function giveUpLostKey(
  id: string,
  keys: MasterKeys,
  places: readonly WrappedKeys[],
  say: (words: string) => void,
): Promise<void> {
  if (keys.ids.includes(id)) throw new Error(`the key ${id} is not lost: the vault has it`)
  const counts = await Promise.all(places.map((place) => place.countByMasterKey()))
  const outcomes: { of: string; erased: number | null }[] = []
  for (const { of, erase } of places) outcomes.push({ of, erased: await erase(id) })
  const isKnown = counts.some((count) => count.has(id)) || outcomes.some(({ erased }) => (erased ?? 0) > 0)
  if (!isKnown) throw new Error(`No key ${id} is known here.`)
  for (const { of, erased } of outcomes)
    say(
      erased === null
        ? `${of} under the key ${id} are kept: enter them anew`
        : `${of} erased with the key ${id}: ${erased}`,
    )
}
