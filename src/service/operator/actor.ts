import { userInfo } from 'node:os'
import { hideCardNumbers } from '../../card/number-in-text.ts'

/** Who runs the command, for the audit log: the account's name where it has one. */
export function actor(): string {
  try {
    return `operator:${hideCardNumbers(userInfo().username)}`
  } catch {
    return 'operator'
  }
}
