import { likelyName } from '../platform/likely-name.ts'

/** Read by `npm run build`, `webhooks listen` and tests, which may share an environment with the service. */
const OF_OTHERS = /^SVC_(?:BUILD_ORIGINS$|SECRET_KEY(?:_FILE)?$|TEST_)/

/** A variable that begins with SVC_ and means nothing, in words that name the likely one; null when there is none. */
export function unknownSetting(given: readonly string[], known: readonly string[]): string | null {
  const unknown = given.find(
    (name) => name.startsWith('SVC_') && !known.includes(name) && !OF_OTHERS.test(name),
  )
  if (unknown === undefined) return null
  const likely = likelyName(unknown, known)
  return likely === null ? `${unknown} is unknown.` : `${unknown} is unknown. Did you mean ${likely}?`
}
