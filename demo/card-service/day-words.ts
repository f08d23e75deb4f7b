const day = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const time = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'Australia/Sydney',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: 'numeric',
  minute: '2-digit',
})

/** `2026-11-22` → `Sunday 22 November 2026`. */
export const dayInWords = (text: string): string => day.format(new Date(`${text}T00:00:00Z`)).replace(',', '')

/** A time in ISO 8601 → `Sunday 22 November at 10:15 am`, in Sydney. */
export const timeInWords = (text: string): string => time.format(new Date(text)).replace(',', '')
