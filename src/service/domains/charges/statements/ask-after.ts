/**
 * How long after it was written an attempt without an outcome is asked for: longer than its gateway's answer is waited for,
 * which is 5 s, and 2 s more for an adapter that was told to stop.
 */
export const ASK_AFTER_SECONDS = 8
/** The same in SQL. */
export const ASK_AFTER = `interval '${String(ASK_AFTER_SECONDS)} seconds'`
/** An attempt may be asked for at once. The column keeps milliseconds and rounds: `now()` itself would be stored up to half of one ahead, and not be due yet. */
export const AT_ONCE = "date_trunc('milliseconds', now())"
