import { newCallOf } from './operator/old-words.ts'
import { runSvc } from './operator/run-svc.ts'
import { keepPrivate } from './processes/keep-private.ts'

/** `npm run operator -- …`, as the command line was called before `svc`; it goes with the next version. */
keepPrivate()
const words = process.argv.slice(2)
const call = newCallOf(words)
await runSvc(
  call === null ? words : [...call.command.split(' '), ...call.parameters],
  import.meta.url,
  `npm run operator ends with the next version: call svc${call === null ? '' : ` ${call.command}`}`,
)
