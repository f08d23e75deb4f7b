import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { brokenTextIn, notWellFormed } from './well-formed.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Far deeper than any body of the contract, and shallow enough for recursion. */
const DEEPEST = 32

/**
 * Reads JSON bodies; an empty one is no body. Bytes that are not UTF-8, what is nested too deep, and names that would
 * change an object's prototype (`__proto__`, `constructor.prototype`) are refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const text = utf8.decode(Buffer.from(body))
      if (depthOf(text) > DEEPEST) throw new SyntaxError('too deep')
      if (text.trim() === '') {
        done(null, undefined)
        return
      }
      void parse(request, text, (error, parsed: unknown) => {
        if (error !== null) done(unreadable())
        else done(faultOf(text, parsed), parsed)
      })
    } catch {
      done(unreadable())
    }
  })
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

/** How deep the objects and arrays of a JSON text are nested, in one pass. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (mark === '\\') at += 1
    else if (mark === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (mark === '{' || mark === '[') deepest = Math.max(deepest, (depth += 1))
    else if (mark === '}' || mark === ']') depth -= 1
  }
  return deepest
}
