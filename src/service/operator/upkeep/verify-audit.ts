import { parseArgs } from 'node:util'
import type { ChainHead } from '../../domains/events/chain.ts'
import { createEventLog } from '../../domains/events/event-log.ts'
import { verifyChain } from '../../domains/events/verify-chain.ts'
import { addDeliveries } from '../../domains/webhooks/delivery/add-deliveries.ts'
import type { Command } from '../command.ts'

export const verifyAudit: Command = {
  name: 'verify-audit',
  usage: `verify-audit [--noted LENGTH:HASH]
      recomputes the chain of the audit log, beside running services, and says where it ends or where it is broken;
      --noted: an end that it had before, as this command or the service's log said it`,
  async run({ database, say }, parameters) {
    const { values } = parseArgs({ args: parameters, options: { noted: { type: 'string' } } })
    const noted = values.noted === undefined ? null : headOf(values.noted)
    if (noted === undefined) return 2
    const log = createEventLog(database, addDeliveries)
    const verdict = await verifyChain(log, noted)
    if (verdict.kind === 'broken') {
      say(`The audit log is broken at event ${String(verdict.seq)}: ${verdict.reason}.`)
      return 1
    }
    const { length, hash } = verdict.head
    say(`The audit log is intact: ${String(length)} events. Note its end elsewhere:`)
    say(`${String(length)}:${hash.toString('hex')}`)
    say(`${String(await log.countUnsealed())} events wait to be sealed.`)
    return 0
  },
}

function headOf(text: string): ChainHead | undefined {
  const [, length, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return length === undefined || hash === undefined
    ? undefined
    : { length: Number(length), hash: Buffer.from(hash, 'hex') }
}
