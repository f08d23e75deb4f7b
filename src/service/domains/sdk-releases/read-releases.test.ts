import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testRelease, writeRelease } from '../../testing/test-release.ts'
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
  const manifest = (content: string) => (folder: string) =>
    writeFileSync(join(folder, 'manifest.json'), content)

  it.each<[what: string, words: RegExp, harm: (folder: string) => void]>([
    [
      'a file changed',
      /widget\.umd\.min\.js has changed/,
      (folder) => appendFileSync(join(folder, 'widget.umd.min.js'), ' '),
    ],
    [
      'a compressed copy changed',
      /widget\.umd\.min\.js\.br has changed/,
      (folder) => writeFileSync(join(folder, 'widget.umd.min.js.br'), 'xx'),
    ],
    [
      'a manifest with another size',
      /widget\.umd\.min\.js has changed/,
      (folder) => {
        const path = join(folder, 'manifest.json')
        writeFileSync(path, readFileSync(path, 'utf8').replace('"bytes":10', '"bytes":11'))
      },
    ],
    [
      'a file missing',
      /languages\/fr\.json is missing/,
      (folder) => rmSync(join(folder, 'languages/fr.json')),
    ],
    [
      'a folder in place of a file',
      /languages\/fr\.json is missing/,
      (folder) => {
        rmSync(join(folder, 'languages/fr.json'))
        mkdirSync(join(folder, 'languages/fr.json'))
      },
    ],
    [
      'a file more',
      /languages\/xx\.json does not belong/,
      (folder) => writeFileSync(join(folder, 'languages/xx.json'), '{}'),
    ],
    ['a link more', /elsewhere does not belong/, (folder) => symlinkSync('/etc', join(folder, 'elsewhere'))],
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
  ])('%s', (_, words, harm) => {
    harm(writeRelease(kept, testRelease('1.0.0')))
    expect(() => readReleases([kept])).toThrow(words)
    expect(() => readReleases([kept])).toThrow(/^SDK release .*$/)
  })
})
