import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { countWork } from '../callers/wasted-work.ts'
import { wrongMediaType } from './wrong-media-type.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes a form (`application/x-www-form-urlencoded`) as its body, and gets `URLSearchParams`. */
    takesForm?: boolean
  }
}

const FORM = 'application/x-www-form-urlencoded'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads bodies that are forms, for the routes that take one. A browser sends a form to anyone's server: no other route may. */
export function readFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.takesForm !== true) {
      done(wrongMediaType(request))
      return
    }
    try {
      done(
        null,
        countWork(request, () => new URLSearchParams(utf8.decode(Buffer.from(body)))),
      )
    } catch {
      done(new ServiceError('validation_error', 'The form is not written in UTF-8.'))
    }
  })
}
