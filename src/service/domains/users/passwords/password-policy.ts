/** What an attacker who knows a person would try first. */
interface Known {
  email: string
  /** The passwords that many people have. */
  common: ReadonlySet<string>
}

/** Words of the service itself. */
const SERVICE_WORDS = ['cardservice', 'card service', 'card-service', 'dashboard']

/** The least length of what a password has beside a name or an e-mail address. */
const MIN_OF_ITS_OWN = 8

/** Digits and marks at the ends that don't hide a common word: `Dragon-2026!`. */
const MAX_DECORATION = 6

/**
 * Why a person may not choose this password; null when it is good (NIST SP 800-63B-4 §3.1.1.2: none that is common, expected or
 * made of the person's own name; no rules on kinds of characters). Its length is the schema's to check.
 */
export function passwordFault(password: string, { email, common }: Known): string | null {
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

/** Whether a text is a common password, or up to three characters, again and again. */
function isRepetition(text: string, common: ReadonlySet<string>): boolean {
  const [, part] = /^(.+?)\1+$/su.exec(text) ?? []
  return part !== undefined && (part.length <= 3 || common.has(part))
}
