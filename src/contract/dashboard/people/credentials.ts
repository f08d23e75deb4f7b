import * as v from 'valibot'
import { singleLineText } from '../../api/fields/single-line-text.ts'
import { isWellFormed } from '../../api/fields/text.ts'

const LONGEST_EMAIL = 254

/** An e-mail address in lower case: `Ada@Acme.example` and `ada@acme.example` are one person. */
export const Email = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(LONGEST_EMAIL, `must be at most ${String(LONGEST_EMAIL)} characters`),
  v.rfcEmail('must be an e-mail address'),
  v.toLowerCase(),
)

/** Shortest and longest password that a person may choose; NIST SP 800-63B-4 §3.1.1.2 wants at least 64 to be allowed. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const

const longestPassword = `must be at most ${String(PASSWORD_LENGTH.max)} characters`

/** A password that is asked for: whether it is the right one is not seen by its form. */
export const KnownPassword = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.maxLength(PASSWORD_LENGTH.max, longestPassword),
)

/** A password that a person chooses. The service also refuses those that many people have. */
export const NewPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_LENGTH.min, `must have at least ${String(PASSWORD_LENGTH.min)} characters`),
  v.maxLength(PASSWORD_LENGTH.max, longestPassword),
  v.check(isWellFormed, 'must be well-formed text'),
)

export const PersonName = singleLineText(100)

/** The six digits that an authenticator app shows; spaces between them are left out. */
export const TotpCode = v.pipe(
  v.string(),
  v.transform((code) => code.replaceAll(/\s/g, '')),
  v.regex(/^\d{6}$/, 'must be six digits'),
)
