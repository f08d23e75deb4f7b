import * as v from 'valibot'
import { text } from './text.ts'

/** Letters of any script, before the @ and in the names of the domain (RFC 6531). */
const address = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

/** Longest address (RFC 5321, 4.5.3.1.3). */
const LONGEST_ADDRESS = 254

export function isEmailAddress(given: string): boolean {
  return given.length <= LONGEST_ADDRESS && address.test(given)
}

/** An e-mail address in a request. */
export const EmailAddress = v.pipe(text(LONGEST_ADDRESS), v.regex(address, 'email must be an e-mail address'))
