import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { brokenTextIn, notWellFormed } from './well-formed.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Far deeper than any body of the contract, and shallow enough for recursion. */
const DEEPEST = 32
/** Far more than any body of the contract: objects with many names take far longer to read than texts of the same length. */
const MOST_NAMES = 1000

type ReadJson = (request: FastifyRequest, body: Buffer) => ReadBody

/** What was read of a body: nothing where it was empty, or why it is refused. */
export interface ReadBody {
  fault: ServiceError | null
  value?: unknown
}

/**
 * Makes the function that reads a body as JSON. White space alone is no body. Bytes that are not UTF-8, what is nested too deep or has too
 * many names, names that would change an object's prototype (`__proto__`, `constructor.prototype`), names that stand twice in an
 * object, and numbers beyond what a number can be are refused.
 */
export function jsonReader(app: FastifyInstance): ReadJson {
  const parse = app.getDefaultJsonParser('error', 'error')
  return (request, body) => {
    const text = textOf(body)
    if (text === null) return { fault: notUtf8() }
    if (text.trim() === '') return { fault: null }
    const { depth, names } = shapeOf(text)
    if (depth > DEEPEST) return { fault: unreadable() }
    if (names > MOST_NAMES) return { fault: tooManyNames() }
    let result: ReadBody = { fault: unreadable() }
    try {
      void parse(request, text, (error, value: unknown) => {
        if (error === null)
          result = { fault: namesIn(value) < names ? nameTwice() : faultOf(text, value), value }
      })
    } catch {
      // What can't be read is answered in the same words, whatever is wrong with it.
    }
    return result
  }
}

/** Null where it is not UTF-8: UTF-16 would be, but for the NUL beside each letter, which no JSON has. */
function textOf(body: Buffer): string | null {
  if (body.includes(0)) return null
  try {
    return utf8.decode(body)
  } catch {
    return null
  }
}

function notUtf8(): ServiceError {
  const words =
    'The body is not written in UTF-8. Send JSON in UTF-8, whatever charset a library would choose.'
  return new ServiceError('validation_error', words)
}

function faultOf(text: string, parsed: unknown): ServiceError | null {
  if (holdsInfinity(parsed)) return numberTooLarge()
  const path = brokenTextIn(text, parsed)
  return path === null ? null : notWellFormed('The request', path)
}

function unreadable(): ServiceError {
  return new ServiceError(
    'validation_error',
    'The body is not well-formed JSON, is nested more than 32 deep, or has a name that no object may have.',
  )
}

function tooManyNames(): ServiceError {
  return new ServiceError('validation_error', `The body has more than ${MOST_NAMES} names.`)
}

function numberTooLarge(): ServiceError {
  return new ServiceError('validation_error', 'The body has a number that is too large to be read.')
}

/** `JSON.parse` reads `1e999` as infinity, which no JSON can say again. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity)
}

/** `JSON.parse` keeps the last of several values, and whatever stood before the service may have read another: an amount, say. */
function nameTwice(): ServiceError {
  return new ServiceError(
    'validation_error',
    'A name stands twice in one object of the body, and only one of its values could count. Nothing was done.',
  )
}

/** How deep the objects and arrays of a JSON text are nested, and how many names stand in it: each has a colon behind it. */
function shapeOf(text: string): { depth: number; names: number } {
  let depth = 0
  let deepest = 0
  let names = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (mark === '\\') at += 1
    else if (mark === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (mark === ':') names += 1
    else if (mark === '{' || mark === '[') deepest = Math.max(deepest, (depth += 1))
    else if (mark === '}' || mark === ']') depth -= 1
  }
  return { depth: deepest, names }
}

/** How many names the objects of a parsed text have. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce<number>((sum, one) => sum + namesIn(one), Array.isArray(value) ? 0 : inner.length)
}
