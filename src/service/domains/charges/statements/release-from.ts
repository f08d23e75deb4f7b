/*
 * Values of `charges.release_from`, as SQL: from when a hold whose time is over may be released. It is null until that was noted
 * (`noteEndedHolds`), and changes with each attempt to release it.
 */

/** While an attempt has no outcome: nothing else may begin. */
export const UNDER_WAY = "'infinity'::timestamptz"

/** After a release that failed: a minute, and twice as long each time, up to a day. */
export const RELEASE_PAUSE =
  "least(power(2, least(releases_tried, 12) - 1) * interval '1 minute', interval '1 day')"

/** Of a charge whose last release failed at `moment`; null where none was tried. */
export const afterFailedRelease = (moment: string): string =>
  `CASE WHEN releases_tried > 0 THEN ${moment} + ${RELEASE_PAUSE} END`
