import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { countWork } from '../callers/wasted-work.ts'
import { brokenTextIn, notWellFormed } from './well-formed.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Far deeper than any body of the contract, and shallow enough for recursion. */
const DEEPEST = 32
/** Far more than any body of the contract: objects with many names take far longer to read than texts of the same length. */
const MOST_NAMES = 1000

/**
 * Reads JSON bodies; an empty one is no body. Bytes that are not UTF-8, what is nested too deep or has too many names, names that would
 * change an object's prototype (`__proto__`, `constructor.prototype`), and names that stand twice in an object are refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { fault, value } = countWork(request, () => read(request, Buffer.from(body)))
    done(fault, value)
  })

  function read(request: FastifyRequest, bytes: Buffer): Read {
    let result: Read = { fault: unreadable() }
    try {
      const text = utf8.decode(bytes)
      const { depth, names } = shapeOf(text)
      if (depth > DEEPEST) return result
      if (names > MOST_NAMES) return { fault: tooManyNames() }
      if (text.trim() === '') return { fault: null }
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

/** What was read of a body: nothing where it was empty, or why it is refused. */
interface Read {
  fault: ServiceError | null
  value?: unknown
}

function faultOf(text: string, parsed: unknown): ServiceError | null {
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
