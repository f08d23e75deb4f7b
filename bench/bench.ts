import { benchCharges } from './charges.ts'
import { benchSdk } from './sdk.ts'
import { benchSizes } from './sizes.ts'
import { benchWidget } from './widget/widget.ts'

/** `npm run bench` measures all of it, `npm run bench -- sizes` a part. */
const parts: Readonly<Record<string, (say: (line: string) => void) => Promise<void> | void>> = {
  sizes: benchSizes,
  charges: benchCharges,
  sdk: benchSdk,
  widget: benchWidget,
}

const asked = process.argv.slice(2)
for (const [name, bench] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name}`)
  await bench((line) => console.log(line))
}
