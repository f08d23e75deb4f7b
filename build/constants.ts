import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const packageJson = v.parse(
  v.object({ version: v.string(), engines: v.object({ node: v.pipe(v.string(), v.startsWith('>=')) }) }),
  JSON.parse(readFileSync('package.json', 'utf8')),
)

export const { version } = packageJson

/** Hosts of `setEnv` names; a name without one means the origin that served the script (contract §1). */
const environmentOrigins = v.parse(
  v.record(v.string(), v.pipe(v.string(), v.url())),
  JSON.parse(process.env['SVC_BUILD_ORIGINS'] ?? '{}'),
)

/** Names in the code that every build replaces. */
export const define = {
  __SVC_VERSION__: JSON.stringify(version),
  __SVC_ORIGINS__: JSON.stringify(environmentOrigins),
  __SVC_LEAST_NODE__: JSON.stringify(packageJson.engines.node.slice('>='.length)),
}
