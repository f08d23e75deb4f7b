import type { ListedKey } from '../domains/merchants/key-store.ts'
import type { Command } from './command.ts'

export const listKeys: Command = {
  name: 'list-keys',
  usage: `list-keys MERCHANT_ID
      lists a merchant's keys by their ids, oldest first; what the keys are is kept nowhere`,
  async run({ merchants, say }, [merchantId, ...more]) {
    if (merchantId === undefined || more.length > 0) return 2
    const keys = await merchants.keys.list(merchantId)
    for (const key of keys) say(lineOf(key))
    if (keys.length === 0) say(`Merchant ${merchantId} has no keys.`)
    return keys.length === 0 ? 1 : 0
  },
}

function lineOf({ id, kind, createdAt, revokedAt, isRevoked }: ListedKey): string {
  const end = revokedAt?.toISOString() ?? ''
  const state = revokedAt === null ? 'works' : isRevoked ? `ended ${end}` : `works until ${end}`
  return `${id}  ${kind}  made ${createdAt.toISOString()}  ${state}`
}
