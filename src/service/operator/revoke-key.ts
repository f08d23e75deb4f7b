import type { Command } from './command.ts'

export const revokeKey: Command = {
  name: 'revoke-key',
  usage: `revoke-key [KEY_ID]
      ends a key at once, in every process: by its id in list-keys, or the key itself, asked for on standard input`,
  async run({ merchants, say, readSecret }, [id, ...more]) {
    // A key belongs in no list of processes and no history.
    if (more.length > 0 || (id !== undefined && !/^[\da-f]{16}$/.test(id))) return 2
    const revoked = await merchants.keys.revoke(id ?? (await readSecret()))
    if (revoked === null) {
      say('There is no such key that has not ended.')
      return 1
    }
    say(`The ${revoked.kind} key ${revoked.id} of merchant ${revoked.merchantId} has ended.`)
    return 0
  },
}
