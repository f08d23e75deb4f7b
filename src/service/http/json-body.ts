import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { refuseBrokenText } from './well-formed.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** No body of the contract is nearly as deep, and what walks through one may do so by recursion. */
const DEEPEST = 32

/** Reads JSON bodies; an empty one is no body, and bytes that are not UTF-8, or nested too deep, are refused. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      const text = utf8.decode(Buffer.from(body))
      if (depthOf(text) > DEEPEST) throw new SyntaxError('too deep')
      const parsed: unknown = text.trim() === '' ? undefined : JSON.parse(text)
      refuseBrokenText(text, parsed)
      done(null, parsed)
    } catch (error) {
      if (error instanceof ServiceError) done(error)
      else
        done(
          new ServiceError(
            'validation_error',
            'The body is not well-formed JSON, or is nested more than 32 deep.',
          ),
        )
    }
  })
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
