const SOON_MS = 2_000
const LATER_MS = 10_000
/** Asks every two seconds for a minute, then every ten seconds for a quarter of an hour. */
const SOON_LOOKS = 30
const MAX_LOOKS = 120

/**
 * Calls `look` at once, then again and again. `show` gets each result and returns whether more can come; `atEnd` is called when
 * this has gone on for too long. `start` begins again; a result of an earlier call is then dropped.
 */
export function createWatch({ look, show, atEnd }) {
  let round = 0
  async function start() {
    round += 1
    const own = round
    for (let looks = 1; ; looks += 1) {
      const seen = await look()
      if (own !== round) return
      if (!show(seen)) return
      if (looks === MAX_LOOKS) return atEnd()
      await new Promise((resolve) => setTimeout(resolve, looks < SOON_LOOKS ? SOON_MS : LATER_MS))
      if (own !== round) return
    }
  }
  // Asks at once when the person comes back from another tab, such as the bank's.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') start()
  })
  return { start }
}
