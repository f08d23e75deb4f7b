/** A session of which only the password was given. It opens nothing but the second factor. */
export interface UnfinishedSession {
  sessionId: string
  userId: string
  merchantId: string
  /** The open invitation that its person came by; the second factor uses it up. */
  invitationId: string | null
}

/** A session ends so long after its log-in at the latest: what NIST SP 800-63B §4.2.3 allows for two factors at most. */
export const SESSION_HOURS = 24

/**
 * A session that nobody used ends after so long: longer than a meeting, shorter than a lunch and an afternoon. What could do
 * lasting harm asks for the password anew much sooner.
 */
export const IDLE_MINUTES = 120

/** Acts that need a fresh password are open so long after it was given: long enough to set one thing up. */
export const FRESH_MINUTES = 10

/** The second factor must follow the password within this: time to fetch a telephone. */
export const SECOND_FACTOR_MINUTES = 10

/** The last use of a session is written at most this often, so that not every read is a write. */
export const MARKED_EVERY_SECONDS = 60
