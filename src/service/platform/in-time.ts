/**
 * Waits for `work`, but no longer than `timeoutMs`: then `whenLate` gives the result in its place, or throws. The work itself is
 * not ended; whoever can end it does so in `whenLate`.
 */
export async function inTime<Result, Late>(
  work: Promise<Result>,
  timeoutMs: number,
  whenLate: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  }).then(whenLate)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
