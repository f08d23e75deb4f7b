const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A time such as `30m`, `24h` or `7d`, in seconds, up to a year; null for anything else. */
export function secondsOf(text: string): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  if (unit !== 's' && unit !== 'm' && unit !== 'h' && unit !== 'd') return null
  const seconds = Number(digits) * UNITS[unit]
  return seconds <= 366 * UNITS.d ? seconds : null
}
