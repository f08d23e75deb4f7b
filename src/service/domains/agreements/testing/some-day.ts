import fc from 'fast-check'
import type { Day } from '../calendar.ts'

const LENGTH = 'YYYY-MM-DD'.length

/** Any day of eight decades, for properties that hold of every day. */
export const someDay: fc.Arbitrary<Day> = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2079-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, LENGTH))
