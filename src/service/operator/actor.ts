import { userInfo } from 'node:os'
import type { Actor } from '../../contract/dashboard/audit.ts'
import { withoutSensitive } from '../platform/secrets/secret-in-text.ts'

/** Who runs the command, for the audit log: the account's name where it has one. */
export function actor(): Actor {
  try {
    return `operator:${withoutSensitive(userInfo().username)}`
  } catch {
    return 'operator:unknown'
  }
}
