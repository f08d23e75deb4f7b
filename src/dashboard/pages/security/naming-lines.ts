import type { Failure } from '../../api/failure.ts'

/**
 * A failure about a list that a person wrote as the lines of one field. The service says at which place of the list something is
 * wrong (`allowed_origins.1`); the field is told the line itself.
 */
export function namingLines(failure: Failure, lines: readonly string[]): Failure {
  const details = failure.details.map(({ path, message }) => {
    const [field = '', place] = path.split('.')
    const line = place === undefined ? undefined : lines[Number(place)]
    return { path: field, message: line === undefined ? message : `“${line}”: ${message}` }
  })
  return { ...failure, details }
}
