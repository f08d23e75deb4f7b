import * as v from 'valibot'
import { semanticVersionOf } from './semantic-version.ts'

/** One file of a release, as it was released. */
export interface ReleaseFile {
  content: Buffer
  /** `sha384-…`, as a page puts it into `integrity`. */
  integrity: string
}

/** A version of the SDK with its frame: built once, never changed (contract §5). */
export interface Release {
  version: string
  workflowVersions: readonly number[]
  /** By path: `widget.umd.min.js`, `languages/fr.json`, `frame/frame.html` … */
  files: ReadonlyMap<string, ReleaseFile>
}

/** Below the release's folder, and nowhere else. */
const path = v.pipe(v.string(), v.regex(/^\w[\w.-]*(?:\/\w[\w.-]*)*$/))

/** What `manifest.json` in a release's folder says of it and of every other file there. */
export const Manifest = v.strictObject({
  version: v.pipe(
    v.string(),
    v.check((text) => semanticVersionOf(text) !== null),
  ),
  workflow_versions: v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.nonEmpty()),
  files: v.record(
    path,
    v.strictObject({ bytes: v.number(), integrity: v.pipe(v.string(), v.startsWith('sha384-')) }),
  ),
})
