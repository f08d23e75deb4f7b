import * as v from 'valibot'
import { text } from './text.ts'

const city = v.optional(text(100))
const state = v.optional(text(100))
const postcode = v.optional(text(20))
const country = v.optional(text(100))

/** The fields of an address in a request: under the service's names, and under those that card forms have for them. */
export const addressEntries = {
  address_line1: v.optional(text(200)),
  address_line2: v.optional(text(200)),
  city,
  state,
  postcode,
  country,
  address_city: city,
  address_state: state,
  address_postcode: postcode,
  address_country: country,
}

interface ServiceNames {
  city?: string | undefined
  state?: string | undefined
  postcode?: string | undefined
  country?: string | undefined
}

interface FormNames {
  address_city?: string | undefined
  address_state?: string | undefined
  address_postcode?: string | undefined
  address_country?: string | undefined
}

/** Whether no part of the address has two values, one under each of its names. */
export function isSaidOnce(given: ServiceNames & FormNames): boolean {
  const pairs = [
    [given.city, given.address_city],
    [given.state, given.address_state],
    [given.postcode, given.address_postcode],
    [given.country, given.address_country],
  ] as const
  return pairs.every(([one, other]) => one === undefined || other === undefined || one === other)
}

/** What is wrong where `isSaidOnce` is false. */
export const SAID_TWICE =
  'has a part of the address under two names, as city and address_city are, with two values: send one'

/** The same fields with the address under the service's names; `city` counts before `address_city`. */
export function withServiceNames<Fields extends ServiceNames & FormNames>(fields: Fields) {
  const { address_city, address_state, address_postcode, address_country, ...others } = fields
  return {
    ...others,
    ...withoutUndefined({
      city: others.city ?? address_city,
      state: others.state ?? address_state,
      postcode: others.postcode ?? address_postcode,
      country: others.country ?? address_country,
    }),
  }
}

/** The same fields with the address under the names of card forms. */
export function withFormNames<Fields extends ServiceNames & FormNames>(fields: Fields) {
  const { city, state, postcode, country, ...others } = fields
  return {
    ...others,
    ...withoutUndefined({
      address_city: others.address_city ?? city,
      address_state: others.address_state ?? state,
      address_postcode: others.address_postcode ?? postcode,
      address_country: others.address_country ?? country,
    }),
  }
}

function withoutUndefined<Name extends string>(
  fields: Record<Name, string | undefined>,
): Partial<Record<Name, string>> {
  const left: Partial<Record<Name, string>> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) left[name] = value
  }
  return left
}

/** An address in a request, in either vocabulary. Parsed to the service's names. */
export const PostalAddress = v.pipe(
  v.strictObject(addressEntries),
  v.check((given) => isSaidOnce(given), SAID_TWICE),
  v.transform((given) => withServiceNames(given)),
)
