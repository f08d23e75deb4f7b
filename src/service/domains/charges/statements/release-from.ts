/*
 * Values of `charges.release_from`, as SQL: from when a hold whose time is over may be released. It is null until `noteEndedHolds` has seen
 * that the time is over. Then each movement that begins or ends at the charge changes it.
 */

/** While an attempt of the charge has no outcome, as nothing else may begin then. */
export const UNDER_WAY = "'infinity'::timestamptz"

/** After a release that failed: a minute, and twice as long each time, up to a day. */
export const RELEASE_PAUSE =
  "least(power(2, least(releases_tried, 12) - 1) * interval '1 minute', interval '1 day')"

/**
 * Of a charge at which a movement failed at `moment`; null where no release was tried. Never before its hold is over: where the clock was
 * set back after a release, it may be a capture that has failed, and a release that is not allowed yet would be begun again and again.
 */
export const afterFailedRelease = (moment: string): string =>
  `CASE WHEN releases_tried > 0 THEN greatest(${moment} + ${RELEASE_PAUSE}, hold_expires_at) END`
