import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { objectsIn } from '../kubernetes-faults.mjs'

export const CHART = 'deploy/helm/card-service'
const GO_PACKAGES = '/usr/share/gocode'

const isThere = (program) => spawnSync(program, ['version']).status === 0

/** Which program of this machine renders charts: `helm`, else `go` with Debian's packages, else none. */
export function chartRenderer() {
  if (isThere('helm')) return 'helm'
  const packages = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml']
  return packages.every((name) => existsSync(join(GO_PACKAGES, 'src', name))) && isThere('go') ? 'go' : null
}

const COMMANDS = {
  helm: (release, values) => ['helm', 'template', release, CHART, '--values', values],
  go: (release, values) => ['go', 'run', join(import.meta.dirname, 'render.go'), CHART, release, values],
}

/** The objects of a release by a file of values. Throws with what the renderer says. */
export function renderChart(renderer, release, valuesFile) {
  const [program, ...parameters] = COMMANDS[renderer](release, valuesFile)
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: GO_PACKAGES, CGO_ENABLED: '0' }
  const { status, stdout, stderr } = spawnSync(program, parameters, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return objectsIn(stdout)
}
