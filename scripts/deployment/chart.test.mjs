import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { kubernetesFaults, objectsIn } from './kubernetes-faults.mjs'

const CHART = 'deploy/helm/card-service'
const GO_PACKAGES = '/usr/share/gocode'

const isThere = (program) => spawnSync(program, ['version']).status === 0

/** Which program of this machine renders charts: `helm`, else `go` with Debian's packages, else none. */
function chartRenderer() {
  if (isThere('helm')) return 'helm'
  const packages = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml']
  return packages.every((name) => existsSync(join(GO_PACKAGES, 'src', name))) && isThere('go') ? 'go' : null
}

const COMMANDS = {
  helm: (release, values) => ['helm', 'template', release, CHART, '--values', values],
  go: (release, values) => ['go', 'run', join(import.meta.dirname, 'render.go'), CHART, release, values],
}

/** The objects of a release by a file of values. Throws with what the renderer says. */
function renderChart(renderer, release, valuesFile) {
  const [program, ...parameters] = COMMANDS[renderer](release, valuesFile)
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: GO_PACKAGES, CGO_ENABLED: '0' }
  const { status, stdout, stderr } = spawnSync(program, parameters, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return objectsIn(stdout)
}

const textOf = (file) => readFileSync(file, 'utf8')
const defaults = parse(textOf(`${CHART}/values.yaml`))
const takes = new Ajv({ strict: true, strictRequired: false }).compile(
  JSON.parse(textOf(`${CHART}/values.schema.json`)),
)
const renderer = chartRenderer()

const ADDRESS = { settings: { SVC_BASE_URL: 'https://pay.example.com' } }
const EVERYTHING = {
  ...ADDRESS,
  image: { tag: '9.9.9' },
  imagePullSecrets: [{ name: 'registry' }],
  settingsFrom: [{ configMapRef: { name: 'more-settings' } }],
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'example.com/a': 'b' },
    api: { host: 'pay.example.com', tlsSecret: 'pay-tls' },
    dashboard: { host: 'dashboard.example.com', tlsSecret: 'dashboard-tls' },
  },
  serviceAccount: { annotations: { 'example.com/role': 'cards' } },
  podAnnotations: { 'example.com/c': 'd' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'cards', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
}
const LEAST = {
  ...ADDRESS,
  migrate: { enabled: false },
  podDisruptionBudget: { enabled: false },
  serviceAccount: { create: false },
}

/** Values over the defaults, as Helm lays them. */
function laid(values, below = defaults) {
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)
  const pairs = Object.entries(values).map(([name, value]) => [
    name,
    isObject(value) && isObject(below[name]) ? laid(value, below[name]) : value,
  ])
  return Object.fromEntries(
    Object.entries({ ...below, ...Object.fromEntries(pairs) }).filter(([, value]) => value !== null),
  )
}

function render(values) {
  const folder = mkdtempSync(join(tmpdir(), 'card-service-chart-'))
  const file = join(folder, 'values.yaml')
  writeFileSync(file, JSON.stringify(values))
  try {
    return renderChart(renderer, 'shop', file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it.each([
  ['the defaults with an address', ADDRESS],
  ['everything', EVERYTHING],
  ['the least', LEAST],
])('the schema of values takes %s', (_, values) => {
  takes(laid(values))
  expect(takes.errors).toBeNull()
})

it.each([
  ['no address', {}],
  ['a name that there is not', { ...ADDRESS, replicaCount: 3 }],
  [
    'a secret among the settings',
    { settings: { ...ADDRESS.settings, SVC_DATABASE_URL: 'postgres://a:b@c/d' } },
  ],
  ['a setting that is no text', { settings: { ...ADDRESS.settings, SVC_DRAIN_SECONDS: 15 } }],
  ['a port of the container', { settings: { ...ADDRESS.settings, SVC_PORT: '80' } }],
  ['an Ingress without a host', { ...ADDRESS, ingress: { enabled: true } }],
])('the schema of values refuses %s', (_, values) => {
  expect(takes(laid(values))).toBe(false)
})

it('the chart and the manifest are of the version of the package', () => {
  const { version } = JSON.parse(textOf('package.json'))
  expect(parse(textOf(`${CHART}/Chart.yaml`)).appVersion).toBe(version)
  expect(textOf('deploy/kubernetes/card-service.yaml')).toContain(`/card-service:${version}\n`)
})

it.skipIf(renderer === null)(
  'what the chart renders is as the API of Kubernetes describes it',
  () => {
    const kindsOf = (objects) => objects.map(({ kind }) => kind).sort()
    const all = [ADDRESS, EVERYTHING, LEAST].map(render)
    const usual = ['Deployment', 'Job', 'PodDisruptionBudget', 'Service', 'ServiceAccount']
    expect(all.map(kindsOf)).toEqual([usual, [...usual, 'Ingress'].sort(), ['Deployment', 'Service']])
    expect(kubernetesFaults(all.flat())).toEqual([])
  },
  120_000,
)

it.skipIf(renderer === null)(
  'one process alone has no budget, which would keep its node from being drained',
  () => {
    const kinds = render({ ...ADDRESS, replicas: 1 }).map(({ kind }) => kind)
    expect(kinds).toContain('Deployment')
    expect(kinds).not.toContain('PodDisruptionBudget')
  },
  120_000,
)

it.skipIf(renderer === null)(
  'the pods of the chart are as confined and probed as those of the manifest',
  () => {
    const podOf = (objects) => objects.find(({ kind }) => kind === 'Deployment').spec.template.spec
    const rendered = podOf(render(LEAST))
    const flat = podOf(objectsIn(textOf('deploy/kubernetes/card-service.yaml')))
    for (const part of ['securityContext', 'volumes', 'terminationGracePeriodSeconds', 'enableServiceLinks'])
      expect(rendered[part], part).toEqual(flat[part])
    const [ours, theirs] = [rendered.containers[0], flat.containers[0]]
    for (const part of ['ports', 'volumeMounts', 'securityContext', 'resources'])
      expect(ours[part], part).toEqual(theirs[part])
    for (const part of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(ours[part], part).toEqual(theirs[part])
  },
  120_000,
)

it.skipIf(renderer === null)(
  'the schema is made before the processes start, by the same image and secrets',
  () => {
    const objects = render(EVERYTHING)
    const [job, deployment] = ['Job', 'Deployment'].map((kind) => objects.find((one) => one.kind === kind))
    const [migrate, serve] = [job, deployment].map(({ spec }) => spec.template.spec.containers[0])
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect([migrate.args, serve.args]).toEqual([['migrate'], ['start', '--no-migrate']])
    for (const part of ['image', 'env', 'envFrom', 'volumeMounts', 'securityContext'])
      expect(migrate[part]).toEqual(serve[part])
    expect(serve.image).toBe('registry.example.com/card-service:9.9.9')
  },
  120_000,
)
