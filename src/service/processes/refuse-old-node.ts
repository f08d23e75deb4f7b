import { writeSync } from 'node:fs'

/** Ends this process in one line where its Node (`version`, such as `22.19.0`) is older than `least` (`22.19`). */
export function refuseOldNode(version: string, least: string = __SVC_LEAST_NODE__): void {
  if (!isOlder(version, least)) return
  writeSync(
    2,
    `svc: Node ${least} or newer is needed, this is ${version}: install Node 24 (https://nodejs.org).\n`,
  )
  process.exit(1)
}

function isOlder(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}
