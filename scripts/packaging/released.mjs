import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { differencesOf } from './release-folder.mjs'

/**
 * How what was built differs from the release of the same version, if there is one. A release never changes: it is
 * served in place of the build, so a build that differs needs a version of its own.
 */
export async function differencesFromReleased() {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const [built, released] = ['dist/releases', 'releases'].map((folder) => `${folder}/v${version}`)
  const isReleased = existsSync(released)
  const paths = isReleased ? await differencesOf(released, built) : []
  const words =
    paths.length === 0
      ? ''
      : `what was built differs from ${released} (${paths.join(', ')}), which never changes and is served in its place: ` +
        'raise the version (npm version minor --no-git-tag-version)'
  return { version, built, released, isReleased, words }
}
