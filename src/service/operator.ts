import { resolve } from 'node:path'
import { refuseOldNode } from './processes/refuse-old-node.ts'

/** `npm run operator -- …`, as the command line was called before `svc`; it goes with the next version. */
refuseOldNode(process.versions.node)
const { newCallOf } = await import('./operator/old-words.ts')
const { runSvc } = await import('./operator/run-svc.ts')
const words = process.argv.slice(2)
const call = newCallOf(words)
await runSvc(
  call === null ? words : [...call.command.split(' '), ...call.parameters],
  resolve(import.meta.dirname, '../..'),
  `npm run operator ends with the next version: call svc${call === null ? '' : ` ${call.command}`}`,
)
