/** A session of which only the password was given. It opens nothing but the second factor. */
export interface UnfinishedSession {
  sessionId: string
  userId: string
  merchantId: string
  /** The open invitation that the person came by; the second factor uses it up. */
  invitationId: string | null
}

/** A session ends at the latest this long after its sign-in: what NIST SP 800-63B §4.2.3 allows for two factors at most. */
export const SESSION_HOURS = 24

/**
 * An idle session ends after this time: longer than a meeting, shorter than a lunch and an afternoon. Acts that could do
 * lasting harm ask for the password again much sooner.
 */
export const IDLE_MINUTES = 120

/** How long a given password stays fresh: long enough to set one thing up. */
export const FRESH_MINUTES = 10

/** The second factor must follow the password within this: time to fetch a telephone. */
export const SECOND_FACTOR_MINUTES = 10

/** The last use of a session is written at most this often, so that not every read is a write. */
export const MARKED_EVERY_SECONDS = 60
