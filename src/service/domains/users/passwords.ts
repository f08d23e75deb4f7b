import { PASSWORD_LENGTH } from '../../../contract/dashboard/people/credentials.ts'
import type { PasswordChange } from '../../../contract/dashboard/people/user-settings.ts'
import { invalidField } from '../../platform/errors.ts'
import { notSignedIn } from '../../platform/http/callers/session.ts'
import { findAccount, replacePassword } from './account-store.ts'
import type { UsersDeps } from './deps.ts'
import { endSessionsOfUser, freshenPassword, renewSession } from './session-store.ts'
import type { UserContext } from './user-context.ts'
import { addEventBy } from './user-events.ts'

/**
 * Takes the signed-in person's password once more, and returns until when it is fresh. Throws `validation_error` for a wrong
 * one.
 */
export async function confirmPassword(
  deps: UsersDeps,
  context: UserContext,
  password: string,
): Promise<Date> {
  await checkOwnPassword(deps, context, password, 'password')
  return deps.database.transaction(async (queries) => {
    const freshUntil = await freshenPassword(queries, context.session.sessionId)
    if (freshUntil === null) throw notSignedIn()
    await addEventBy(deps, queries, context, 'user.password_confirmed')
    return freshUntil
  })
}

/** Changes the password and ends the person's other sessions. Returns a new token for this one. */
export async function changePassword(
  deps: UsersDeps,
  context: UserContext,
  { old, new: chosen }: PasswordChange,
): Promise<string> {
  const { sessionId, user } = context.session
  const oldHash = await checkOwnPassword(deps, context, old, 'old')
  if (old === chosen) throw invalidField('new', 'is the password that you have')
  const newHash = await hashChosenPassword(deps, chosen, { email: user.email, path: 'new', who: user.id })
  return deps.database.transaction(async (queries) => {
    if (!(await replacePassword(queries, user.id, oldHash, newHash)))
      throw invalidField('old', 'is not your password any more')
    const renewed = await renewSession(queries, sessionId, deps.createId())
    if (renewed === null) throw notSignedIn()
    const ended = await endSessionsOfUser(queries, user.id, renewed.sessionId)
    await addEventBy(deps, queries, context, 'user.password_changed', { sessions_ended: ended })
    return renewed.token
  })
}

/** Returns the hash of the right password. Records a wrong one, and refuses it at the field `path`. */
async function checkOwnPassword(
  deps: UsersDeps,
  context: UserContext,
  password: string,
  path: string,
): Promise<string> {
  const { id } = context.session.user
  await deps.throttle.passwordAgain(id)
  const kept = (await findAccount(deps.database, id))?.passwordHash ?? null
  if ((await deps.hashes.matches(kept, password, { who: id, isKnown: true })) && kept !== null) return kept
  await deps.database.transaction((queries) => addEventBy(deps, queries, context, 'user.password_refused'))
  throw invalidField(path, 'is not your password')
}

interface Chooser {
  email: string
  /** The field of the password, for the fault. */
  path: string
  /** Hashes wait in line under this id: of a user or an invitation. */
  who: string
}

/** The hash of a new password. Throws `validation_error` for one that is too easy to guess. */
export async function hashChosenPassword(
  { hashes }: Pick<UsersDeps, 'hashes'>,
  password: string,
  { email, path, who }: Chooser,
): Promise<string> {
  if (password.length < PASSWORD_LENGTH.min)
    throw invalidField(path, `must have at least ${PASSWORD_LENGTH.min} characters`)
  const fault = passwordFault(password, { email, common: await commonPasswords() })
  if (fault !== null) throw invalidField(path, fault)
  return hashes.hash(password, { who, isKnown: true })
}

/** The passwords that many people have, in lower case, loaded when one is first chosen. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return loading
}

let loading: Promise<ReadonlySet<string>> | undefined

/** What an attacker who knows the person would try first. */
interface Guesses {
  email: string
  /** The passwords that many people have. */
  common: ReadonlySet<string>
}

/** Words of the service itself. */
const SERVICE_WORDS = ['cardservice', 'card service', 'card-service', 'dashboard']

/** A password needs this many characters beside a name or an e-mail address. */
const MIN_OF_ITS_OWN = 8

/** Up to this many digits and marks around a common word don't hide it: `Dragon-2026!`. */
const MAX_DECORATION = 6

/**
 * Why a person may not choose this password, or null. Refused are common passwords and those made of the person's or the
 * service's name; kinds of characters do not matter (NIST SP 800-63B-4 §3.1.1.2). The schema checks the length.
 */
export function passwordFault(password: string, { email, common }: Guesses): string | null {
  const plain = password.normalize('NFKC').toLowerCase()
  const [localPart = ''] = email.split('@')
  const ownWords = [email, localPart, ...SERVICE_WORDS]
  if (ownWords.some((word) => isMostly(plain, word)))
    return 'must not be made of your e-mail address or the name of this service'
  const core = withoutDecoration(plain)
  const isCommon = [plain, core].some((text) => common.has(text) || isRepetition(text, common))
  return isCommon ? 'is one that many people have; choose another' : null
}

function isMostly(plain: string, word: string): boolean {
  return word.length > 2 && plain.includes(word) && plain.replaceAll(word, '').length < MIN_OF_ITS_OWN
}

function withoutDecoration(plain: string): string {
  const core = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return plain.length - core.length <= MAX_DECORATION ? core : plain
}

/** Whether a text repeats a common password, or up to three characters. */
function isRepetition(text: string, common: ReadonlySet<string>): boolean {
  const [, part] = /^(.+?)\1+$/su.exec(text) ?? []
  return part !== undefined && (part.length <= 3 || common.has(part))
}
