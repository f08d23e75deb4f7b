import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as CycloneDx from '@cyclonedx/cyclonedx-library'
import { PackageURL } from 'packageurl-js'
import parseExpression from 'spdx-expression-parse'
import { licenceText, nameOf, refuseLicence } from './licences.mjs'

/** What lies beside each artefact: the licences of the packages that it contains, and those packages as a CycloneDX bill of materials. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt'
export const BILL = 'sbom.cdx.json'

/** What a page loads. */
const DOCUMENTS = ['sdk', 'loader', 'frame', 'checkout', 'authentication']

/** What is shipped: its folder, the builds (modes of `vite.config.ts`, names of `tsdown.config.ts`) that made it, and packages that it loads where they are installed. */
const ARTEFACTS = [
  { folder: 'dist/sdk', name: 'card-service-sdk', type: 'library', modes: ['sdk', 'loader'] },
  {
    folder: 'dist/frame',
    name: 'card-service-frame',
    type: 'application',
    modes: ['frame', 'checkout', 'authentication'],
  },
  {
    folder: 'dist/dashboard',
    name: 'card-service-dashboard',
    type: 'application',
    modes: ['dashboard', 'preview'],
  },
  { folder: 'dist/npm', name: '@svc/widget', type: 'library', modes: ['npm', 'npm-testing', 'sdk'] },
  { folder: 'dist/npm-server', name: '@svc/server', type: 'library', modes: ['npm-server'] },
  {
    folder: 'dist/service',
    name: 'card-service',
    type: 'application',
    modes: ['service', 'dashboard', 'preview', ...DOCUMENTS],
    loaded: ['node_modules/@node-rs/argon2', 'node_modules/pkcs11js'],
  },
]

/** Writes both files of every artefact whose builds are there. */
export function writeNotices() {
  const built = builtPackages()
  for (const { folder, name, type, modes, loaded = [] } of ARTEFACTS) {
    if (!modes.every((mode) => built.has(mode))) continue
    const installed = loaded.filter((path) => existsSync(path))
    for (const [file, text] of noticesOf({ name, type }, built, modes, installed))
      writeFileSync(join(folder, file), text)
  }
}

/** Both files of a release, by their names. */
export function noticesOfRelease() {
  return noticesOf({ name: 'card-service-release', type: 'library' }, builtPackages(), DOCUMENTS)
}

function noticesOf({ name, type }, built, modes, loaded = []) {
  const folders = new Set(modes.flatMap((mode) => built.get(mode) ?? []))
  const { version, license } = readPackage('.')
  const parts = {
    artefact: { name, version, license, type },
    contained: read([...folders]),
    loaded: read(loaded),
  }
  return new Map([
    [NOTICES, noticesText(parts)],
    [BILL, billText(parts)],
  ])
}

/** The folders of packages of each build, by its mode, as `build/bundled-packages.ts` wrote them down. */
function builtPackages() {
  const lists = readdirSync('dist', { recursive: true }).filter((path) =>
    /(?:^|\/)\.packages\.[^/]+\.json$/.test(path),
  )
  return new Map(
    lists.map((path) => [
      basename(path).slice('.packages.'.length, -'.json'.length),
      JSON.parse(readFileSync(join('dist', path), 'utf8')),
    ]),
  )
}

const read = (folders) => folders.map(readPackage).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))

function readPackage(folder) {
  return { ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), folder }
}

/** The text of the notices. Throws where a package has a licence that is not allowed here, or comes without its text. */
export function noticesText({ artefact, contained, loaded }) {
  const packages = [...contained, ...loaded]
  for (const one of packages) refuseLicence(one)
  const list = (words, some) =>
    some.length === 0
      ? ''
      : `${words}\n\n${some.map((one) => `  ${nameOf(one)} (${one.license})\n`).join('')}`
  const head =
    packages.length === 0
      ? `${nameOf(artefact)} contains no code of others.\n`
      : list(`${nameOf(artefact)} contains code of these packages, under their licences:`, contained) +
        list('\nIt loads these where they are installed:', loaded)
  // Packages of one author often share a text.
  const names = new Map()
  for (const one of packages) {
    const text = licenceText(one)
    names.set(text, [...(names.get(text) ?? []), nameOf(one)])
  }
  const texts = [...names].map(([text, of]) => `\n${'-'.repeat(80)}\n${of.join(', ')}\n\n${text}\n`)
  return `${head}${texts.join('')}`
}

/** The bill of materials, as CycloneDX 1.6 has it in JSON; the same for the same packages. */
export function billText({ artefact, contained, loaded }) {
  const { Contrib, Enums, Models, Serialize, Spec } = CycloneDx
  const licences = new Contrib.License.Factories.LicenseFactory(parseExpression)
  const { Builders, Factories } = Contrib.FromNodePackageJson
  const builder = new Builders.ComponentBuilder(new Factories.ExternalReferenceFactory(), licences)
  const componentOf = (one, type, scope) => {
    const component = builder.makeComponent(one, type)
    component.purl = purlOf(one)
    component.bomRef.value = decodeURIComponent(component.purl)
    component.scope = scope
    return component
  }
  const bom = new Models.Bom()
  const whole = componentOf(artefact, artefact.type)
  bom.metadata.component = whole
  const { Required, Optional } = Enums.ComponentScope
  const parts = [
    ...contained.map((one) => componentOf(one, Enums.ComponentType.Library, Required)),
    ...loaded.map((one) => componentOf(one, Enums.ComponentType.Library, Optional)),
  ]
  for (const part of parts) {
    bom.components.add(part)
    whole.dependencies.add(part.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  const bill = JSON.parse(serializer.serialize(bom, { sortLists: true }))
  // Some readers, as cdxgen's, stumble where this is left out.
  for (const one of bill.dependencies) one.dependsOn ??= []
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`
  return `${JSON.stringify({ ...bill, serialNumber }, null, 2)}\n`
}

function purlOf({ name, version }) {
  const [last, scope] = name.split('/').toReversed()
  return new PackageURL('npm', scope, last, version).toString()
}

/** As RFC 9562 has it of a maker's own kind (version 8): the same for the same text. */
function uuidOf(text) {
  const hash = createHash('sha256').update(text).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
