import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { secondsOf } from './duration.ts'

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
