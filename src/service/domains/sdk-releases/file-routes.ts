import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { decode } from '../../platform/http/decode.ts'
import { releaseFiles } from './release-files.ts'
import type { Release } from './release.ts'
import { answerContent } from './served-content.ts'

const FilePath = v.object({ '*': v.string() })

/** The SDK's files (contract §5). A path is looked up as it is written: nothing but what is in a release can be had. */
export function addFileRoutes(app: FastifyInstance, releases: readonly Release[]): void {
  const files = releaseFiles(releases)
  app.get('/sdk/*', { config: { resourceType: 'sdk_file', isRoutine: true } }, async (request, reply) => {
    const content = files.get(decode(FilePath, request.params)['*'])
    if (content !== undefined) return answerContent(request, reply, content)
    reply.callNotFound()
    return reply
  })
}
