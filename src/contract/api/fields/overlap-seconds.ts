import * as v from 'valibot'

/** A year. */
const MAX_OVERLAP_SECONDS = 31_622_400

/** How long a replaced key or secret keeps working, in seconds; 0: it ends at once. */
export const OverlapSeconds = v.pipe(
  v.number(),
  v.integer('must be a whole number of seconds'),
  v.minValue(0, 'must be 0 or more'),
  v.maxValue(MAX_OVERLAP_SECONDS, `must be at most ${String(MAX_OVERLAP_SECONDS)}`),
)
