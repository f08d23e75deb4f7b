import { PASSWORD_LENGTH } from '../../../../contract/dashboard/people/credentials.ts'
import { wrongInput } from '../wrong-input.ts'
import type { PasswordHashes } from './hash-passwords.ts'
import { passwordFault } from './password-policy.ts'

/** A chosen password → what is kept of it; only for who has a session or a good link, `who`. Throws `validation_error` at `path` for one that is too easy to guess. */
export type ChoosePassword = (
  password: string,
  person: { email: string },
  path: string,
  who: string,
) => Promise<string>

export const createChoosePassword =
  (hashes: Pick<PasswordHashes, 'hash'>): ChoosePassword =>
  async (password, { email }, path, who) => {
    if (password.length < PASSWORD_LENGTH.min)
      throw wrongInput(path, `must have at least ${PASSWORD_LENGTH.min} characters`)
    const fault = passwordFault(password, { email, common: await commonPasswords() })
    if (fault !== null) throw wrongInput(path, fault)
    return hashes.hash(password, { who, isKnown: true })
  }

/** The passwords that many people have, in lower case, commonest first; loaded when one is first chosen. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return listed
}

let listed: Promise<ReadonlySet<string>> | undefined
