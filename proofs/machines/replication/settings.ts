import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that operators start from: what is proved is what they get. */
const FOLDER = 'deploy/replication'

/** Where Patroni's settings stand, which are the same on every machine. */
export const PATRONI_SETTINGS = join(FOLDER, 'patroni.yml')

/** Throws when a name that is to be replaced does not stand in the file. */
export function settingsWith(file: string, replacements: Readonly<Record<string, string>>): string {
  let text = readFileSync(join(FOLDER, file), 'utf8')
  for (const [name, replacement] of Object.entries(replacements)) {
    if (!text.includes(name)) throw new Error(`${file} has no ${name}`)
    text = text.replaceAll(name, replacement)
  }
  return text
}

/** The environment of a file with lines `NAME=value`, some of whose values are replaced. */
export function environmentWith(
  file: string,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const settings = readFileSync(join(FOLDER, file), 'utf8').matchAll(/^([A-Z\d_]+)=(.*)$/gm)
  const known = Object.fromEntries([...settings].map(([, name = '', value = '']) => [name, value]))
  const unknown = Object.keys(values).find((name) => !(name in known))
  if (unknown !== undefined) throw new Error(`${file} has no ${unknown}`)
  return { ...known, ...values }
}
