import { benchAgreements } from './agreements/agreements.ts'
import { benchCapacity } from './charges/capacity.ts'
import { benchCharges } from './charges/charges.ts'
import { benchDashboard } from './dashboard/dashboard.ts'
import { benchGrowth } from './growth/growth.ts'
import { benchSizes } from './sizes.ts'
import { benchStart } from './start.ts'
import { benchWidget } from './widget/widget.ts'

type Bench = (say: (line: string) => void, parameters: string[]) => Promise<void> | void

/** `npm run bench` measures all of these, `npm run bench -- sizes` one. Options (`--…`) are handed to each part that is measured. */
const parts: Readonly<Record<string, Bench>> = {
  sizes: benchSizes,
  start: benchStart,
  charges: benchCharges,
  capacity: benchCapacity,
  widget: benchWidget,
  agreements: benchAgreements,
  dashboard: benchDashboard,
}

/** Takes hours and tens of gigabytes, so it is measured only by name. */
const largeParts: Readonly<Record<string, Bench>> = { growth: benchGrowth }

const given = process.argv.slice(2)
const firstOption = given.findIndex((one) => one.startsWith('--'))
const [asked, parameters] =
  firstOption < 0 ? [given, []] : [given.slice(0, firstOption), given.slice(firstOption)]
for (const [name, bench] of Object.entries({ ...parts, ...largeParts })) {
  if (asked.length > 0 ? !asked.includes(name) : name in largeParts) continue
  console.log(`\n${name}`)
  await bench((line) => console.log(line), parameters)
}
