/**
 * How long after it was written an attempt without an outcome is asked for: longer than its gateway's answer is waited for,
 * which is 5 s, and 2 s more for an adapter that was told to stop.
 */
export const ASK_AFTER_SECONDS = 8
/** The same in SQL. */
export const ASK_AFTER = `interval '${String(ASK_AFTER_SECONDS)} seconds'`
