import { parseArgs } from 'node:util'
import type { ListedKey } from '../../domains/merchants/key-store.ts'
import type { Command } from '../command.ts'

export const listKeys: Command = {
  name: 'list-keys',
  usage: `list-keys MERCHANT_ID
      lists a merchant's keys by their ids, oldest first; of a secret key only a hash is kept, and the dashboard shows public ones`,
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

export const rollKey: Command = {
  name: 'roll-key',
  usage: `roll-key MERCHANT_ID --kind public|secret [--overlap 24h]
      makes a merchant a new key and shows it, this once; those of its kind that it has end after the overlap, or at once`,
  async run({ merchants, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { kind: { type: 'string' }, overlap: { type: 'string', default: '0s' } },
    })
    const [merchantId, ...more] = positionals
    const { kind } = values
    const overlapSeconds = secondsOf(values.overlap)
    if (merchantId === undefined || more.length > 0 || overlapSeconds === null) return 2
    if (kind !== 'public' && kind !== 'secret') return 2
    const rolled = await merchants.keys.roll(merchantId, kind, overlapSeconds)
    if (rolled === null) {
      say(`There is no merchant ${merchantId}.`)
      return 1
    }
    const { key, id, ended } = rolled
    const ends = ended.map((one) => ({ key_id: one.id, ends_at: one.revokedAt?.toISOString() }))
    say(JSON.stringify({ key_id: id, [`${kind}_key`]: key, ended: ends }, null, 2))
    return 0
  },
}

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A time such as `30m`, `24h` or `7d`, in seconds, up to a year; null for anything else. */
export function secondsOf(text: string): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  if (unit !== 's' && unit !== 'm' && unit !== 'h' && unit !== 'd') return null
  const seconds = Number(digits) * UNITS[unit]
  return seconds <= 366 * UNITS.d ? seconds : null
}

export const revokeKey: Command = {
  name: 'revoke-key',
  usage: `revoke-key [KEY_ID]
      ends a key at once, in every process: by its id in list-keys, or the key itself, asked for on standard input`,
  async run({ merchants, say, readSecret }, [id, ...more]) {
    // A key is read from standard input: as a parameter it would be in the list of processes and the shell's history.
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
