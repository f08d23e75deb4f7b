import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads JSON bodies; an empty one is no body, and bytes that are not UTF-8 are refused. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      const text = utf8.decode(Buffer.from(body))
      done(null, text.trim() === '' ? undefined : JSON.parse(text))
    } catch {
      done(new ServiceError('validation_error', 'The body is not well-formed JSON.'))
    }
  })
}
