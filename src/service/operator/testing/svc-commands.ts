import { call } from './operate.ts'

/** One command, or a group of commands, with its help. */
interface FoundCommand {
  /** As in `['merchants', 'add']`. */
  path: string[]
  help: string
  isGroup: boolean
}

/** Every command that help lists, with the groups, which come before theirs. */
export async function everyCommand(path: readonly string[] = []): Promise<FoundCommand[]> {
  const { said: help } = await call([...path, '--help'])
  const listed = [...help.matchAll(/^ {2}([a-z][a-z-]*)(?: .*)?$/gm)].map(([, name = '']) => name)
  const below = listed.filter((name) => name !== 'svc' && name !== 'help')
  const found = await Promise.all(below.map((name) => everyCommand([...path, name])))
  return [{ path: [...path], help, isGroup: below.length > 0 }, ...found.flat()]
}

/** Whether a call is right: the database, the service or the merchant's key is then asked for. */
export async function isRightCall(words: readonly string[]): Promise<boolean> {
  let isReached = false
  const reach = () => {
    isReached = true
    throw new Error('reached')
  }
  const remote = { version: '', readMerchantKey: reach, untilStopped: () => AbortSignal.abort() }
  await call(words, { open: reach, schema: { migrations: [], onDatabase: reach }, start: reach, remote })
  return isReached
}

/** Words of a line as a shell would read them; what follows a redirection or a comment is none of them. */
export function wordsIn(line: string): string[] {
  const words = line.replace(/ +[<#].*$/, '').matchAll(/"([^"]*)"|(\S+)/g)
  return [...words].map(([, quoted, bare]) => quoted ?? bare ?? '')
}
