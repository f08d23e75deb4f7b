/** The passwords that many people have, in lower case, commonest first; loaded when one is first chosen. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return listed
}

let listed: Promise<ReadonlySet<string>> | undefined
