import { userInfo } from 'node:os'
import type { Actor } from '../../contract/dashboard/audit.ts'
import { hideCardNumbers } from '../../card/number-in-text.ts'

/** Who runs the command, for the audit log: the account's name where it has one. */
export function actor(): Actor {
  try {
    return `operator:${hideCardNumbers(userInfo().username)}`
  } catch {
    return 'operator:unknown'
  }
}
