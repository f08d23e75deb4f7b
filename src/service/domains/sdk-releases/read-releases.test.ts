import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testRelease, writeArchive, writeRelease } from '../../testing/test-release.ts'
import { readReleases } from './read-releases.ts'

let kept: string
let built: string
beforeEach(() => {
  kept = mkdtempSync(join(tmpdir(), 'svc-kept-'))
  built = mkdtempSync(join(tmpdir(), 'svc-built-'))
})
afterEach(() => {
  for (const folder of [kept, built]) rmSync(folder, { recursive: true })
})

const versionsOf = (...folders: string[]) => readReleases(folders).map(({ version }) => version)

describe('releases', () => {
  it('are read as they were written', () => {
    const release = testRelease('1.0.0', { workflowVersions: [1, 2] })
    writeRelease(kept, release)
    expect(readReleases([kept])).toEqual([release])
  })

  it.each(['0.0.0', '10.20.30', '1.0.0-beta', '1.0.0-x-y.7.z', '1.0.0+7', '1.0.0-a+b'])(
    'may be of version %s',
    (version) => {
      writeRelease(kept, testRelease(version))
      expect(versionsOf(kept)).toEqual([version])
    },
  )

  it('of all folders come newest first', () => {
    for (const version of ['1.9.0', '1.10.0', '2.0.0-beta.1']) writeRelease(kept, testRelease(version))
    writeRelease(built, testRelease('2.0.0'))
    expect(versionsOf(kept, built)).toEqual(['2.0.0', '2.0.0-beta.1', '1.10.0', '1.9.0'])
  })

  it('that were kept are not replaced by a build of their version', () => {
    writeRelease(kept, testRelease('1.0.0', { workflowVersions: [1] }))
    writeRelease(built, testRelease('1.0.0', { workflowVersions: [2] }))
    expect(readReleases([kept, built])).toMatchObject([{ workflowVersions: [1] }])
  })

  it('may lie beside files of another kind', () => {
    writeRelease(kept, testRelease('1.0.0'))
    writeFileSync(join(kept, 'README.md'), '')
    expect(versionsOf(kept, join(built, 'not-there'))).toEqual(['1.0.0'])
  })

  it('must be there', () => expect(() => readReleases([kept])).toThrow(/no SDK release .*npm run build/))
})

describe('a release that is not as it was released is refused, in one line that says why:', () => {
  const release = testRelease('1.0.0')
  const contents = [...release.files.values()].map(({ content }) => content)
  const [widget = Buffer.from(''), ...others] = contents
  const write = (file: string, content: string | Buffer) => (folder: string) =>
    writeFileSync(join(folder, file), content)
  const manifest = (content: string) => write('manifest.json', content)
  const manifestOf = (version: string) =>
    manifest(JSON.stringify({ version, workflow_versions: [1], files: {} }))
  const changeManifest = (folder: string, from: string, to: string) => {
    const path = join(folder, 'manifest.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
  }
  const archive = (changed: readonly Buffer[]) => (folder: string) => writeArchive(folder, changed)

  it.each<[what: string, words: RegExp, harm: (folder: string) => void]>([
    [
      'a file changed',
      /widget\.umd\.min\.js has changed/,
      archive([Buffer.from(widget.toString().replace('svc', 'abc')), ...others]),
    ],
    [
      'a file longer',
      /languages\/en\.json has changed/,
      archive([Buffer.concat([widget, Buffer.from(';')]), ...others]),
    ],
    [
      'a manifest with another size',
      /widget\.umd\.min\.js has changed/,
      (folder) => changeManifest(folder, '"bytes":10', '"bytes":11'),
    ],
    ['a file missing', /frame\.fr\.html has changed, or is missing/, archive(contents.slice(0, -1))],
    ['a file more', /files\.br holds more than/, archive([...contents, Buffer.from('{}')])],
    ['files in another order', /widget\.umd\.min\.js has changed/, archive(contents.toReversed())],
    ['a file beside its archive', /widget\.umd\.min\.js does not belong/, write('widget.umd.min.js', '')],
    [
      'a link beside it',
      /elsewhere does not belong/,
      (folder) => symlinkSync('/etc', join(folder, 'elsewhere')),
    ],
    ['no archive', /files\.br is missing/, (folder) => rmSync(join(folder, 'files.br'))],
    [
      'a folder in place of its archive',
      /files\.br is missing/,
      (folder) => {
        rmSync(join(folder, 'files.br'))
        mkdirSync(join(folder, 'files.br'))
      },
    ],
    [
      'an archive that was cut off',
      /files\.br can't be read/,
      (folder) => truncateSync(join(folder, 'files.br'), 50),
    ],
    ['an archive that is no brotli', /files\.br can't be read/, write('files.br', '{}')],
    [
      'a manifest with a size below nothing',
      /manifest\.json can't be read/,
      (folder) => changeManifest(folder, '"bytes":10', '"bytes":-10'),
    ],
    ['no manifest', /manifest\.json is missing/, (folder) => rmSync(join(folder, 'manifest.json'))],
    ['a manifest that is no JSON', /manifest\.json can't be read/, manifest('{')],
    ['a manifest of another kind', /manifest\.json can't be read/, manifest('{"version":"1.0.0"}')],
    [
      'a manifest that names files of others',
      /manifest\.json can't be read/,
      manifest(
        '{"version":"1.0.0","workflow_versions":[1],"files":{"../secret":{"bytes":1,"integrity":"sha384-a"}}}',
      ),
    ],
    [
      'a folder of another name',
      /manifest\.json is of version 1\.0\.0/,
      (folder) => renameSync(folder, join(kept, 'v1.0.1')),
    ],
    ...[
      '',
      '1',
      '1.0',
      'v1.0.0',
      '=1.0.0',
      '01.0.0',
      '1.0.0-',
      '1.0.0-01',
      '1.0.0-a..b',
      '1.0.0+',
      ' 1.0.0',
      '1.0.0\n',
    ].map((version): [string, RegExp, (folder: string) => void] => [
      `a version ${JSON.stringify(version)}`,
      /manifest\.json can't be read/,
      manifestOf(version),
    ]),
  ])('%s', (_, words, harm) => {
    harm(writeRelease(kept, release))
    expect(() => readReleases([kept])).toThrow(words)
    expect(() => readReleases([kept])).toThrow(/^SDK release .*$/)
  })
})
