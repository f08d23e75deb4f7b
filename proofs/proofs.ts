import { agreementRacing } from './agreement-races.ts'
import { authentications } from './authentications.ts'
import { backgroundJobs } from './background-jobs.ts'
import { clock } from './clock.ts'
import { collection } from './collection.ts'
import { crash } from './crash.ts'
import { failover } from './failover.ts'
import { fairness } from './fairness.ts'
import { fullDisk } from './full-disk.ts'
import { foreignDatabase } from './foreign-database.ts'
import { notifications } from './notifications.ts'
import { production } from './production.ts'
import { races } from './races.ts'
import { rolling } from './rolling.ts'
import { rotation } from './rotation.ts'
import { sameKey } from './same-key.ts'
import type { Say } from './say.ts'
import { twoContainers } from './two-containers.ts'

/** Long runs that break things on purpose: `npm run proofs -- crash`, `races` …; with `--short` only seconds of each. */
const proofs: Readonly<Record<string, (parameters: string[], say: Say) => Promise<void>>> = {
  crash,
  races,
  'same-key': sameKey,
  rotation,
  rolling,
  'background-jobs': backgroundJobs,
  clock,
  'two-containers': twoContainers,
  fairness,
  'full-disk': fullDisk,
  failover,
  collection,
  'agreement-races': agreementRacing,
  'foreign-database': foreignDatabase,
  notifications,
  authentications,
  production,
}

const [name = '', ...parameters] = process.argv.slice(2)
const proof = proofs[name]
if (proof === undefined) {
  console.error(`no such proof; there are ${Object.keys(proofs).join(', ')}`)
  process.exit(2)
}
try {
  await proof(parameters, (line) => console.log(`${name}: ${line}`))
} catch (error) {
  console.error(error)
  process.exit(1)
}
process.exit(0)
