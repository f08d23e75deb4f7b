import { spawnSync } from 'node:child_process'

/**
 * Asks the registry for known vulnerabilities of the packages that a running service needs; ends with 1 if there is a severe one.
 * If the registry does not answer, that is printed, but is no failure.
 */
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
  encoding: 'utf8',
  timeout: 30_000,
})
const faults = faultsIn(stdout)
if (faults === null) console.log('audit: not checked, as the registry does not answer')
else if (faults.length === 0) console.log('audit: no severe fault is known')
else {
  for (const { name, severity, range } of faults) console.error(`audit: ${name} ${range}: ${severity}`)
  process.exitCode = 1
}

/** The packages with a severe fault; null where npm could not tell. */
function faultsIn(report) {
  try {
    const { vulnerabilities } = JSON.parse(report)
    if (vulnerabilities === undefined) return null
    return Object.values(vulnerabilities).filter(({ severity }) => ['high', 'critical'].includes(severity))
  } catch {
    return null
  }
}
