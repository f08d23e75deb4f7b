import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { installDependencies } from './dependencies.mjs'
import { differencesFromReleased } from './packaging/released.mjs'
import { run } from './run.mjs'

/** Builds SDK and frame, and adds them to `releases/`, for ever, as the release of package.json's version. */
await installDependencies()
await run(process.execPath, ['scripts/build.mjs'])
const { built, released, isReleased, words } = await differencesFromReleased()
if (words !== '') {
  console.error(`release: ${words}`)
  process.exit(1)
}
if (isReleased) {
  console.log(`release: ${released} is this very build; there is nothing to do`)
} else {
  // Renamed into place, so that a release is never there in part.
  const unfinished = 'dist/unfinished-release'
  await rm(unfinished, { recursive: true, force: true })
  await cp(built, unfinished, { recursive: true })
  await mkdir('releases', { recursive: true })
  await rename(unfinished, released)
  console.log(`release: ${released} is made; commit it, and it will be served for ever`)
}
