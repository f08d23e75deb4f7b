import { userInfo } from 'node:os'
import { withoutSensitive } from '../platform/secrets/sensitive-text.ts'

/** Who runs the command, for the audit log: the account's name where it has one. */
export function actor(): string {
  try {
    return `operator:${withoutSensitive(userInfo().username)}`
  } catch {
    return 'operator'
  }
}
