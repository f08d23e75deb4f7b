import { userInfo } from 'node:os'

/** Who runs the command, for the audit log: the account's name where it has one. */
export function actor(): string {
  try {
    return `operator:${userInfo().username}`
  } catch {
    return 'operator'
  }
}
