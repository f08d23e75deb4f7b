import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { decode } from '../../platform/http/requests/decode.ts'
import { answerContent } from '../../platform/http/content/answer-content.ts'
import { OPEN, releaseFiles } from './release-files.ts'
import type { Release } from './release.ts'

const FilePath = v.object({ '*': v.string() })

/** The SDK's files (contract §5). A path is looked up as it is written: nothing but what is in a release can be had. */
export function addFileRoutes(app: FastifyInstance, releases: readonly Release[]): void {
  const files = releaseFiles(releases)
  app.get('/sdk/*', { config: { resourceType: 'sdk_file', isRoutine: true } }, async (request, reply) => {
    const file = files.get(decode(FilePath, request.params)['*'])
    if (file !== undefined) return answerContent(request, reply, file.content, file.headers)
    void reply.headers(OPEN)
    reply.callNotFound()
    return reply
  })
}
