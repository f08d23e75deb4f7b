import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SCOPES } from '../../../contract/api/scope.ts'
import { at, snippetsIn } from '../../../../docs/testing/snippets-in.ts'
import { agreementCalls } from '../../domains/agreements/testing/agreement-calls.ts'
import { createTestService } from '../test-service.ts'
import type { TestService } from '../test-service.ts'
import { makeWebhook, sendWebhooks } from '../webhook-receiver.ts'

const run = promisify(execFile)

let service: TestService
let address: string
/** A folder in place of the reader's, with the file that `npm start` leaves there. */
let folder: string
beforeAll(async () => {
  service = await createTestService()
  address = await service.app.listen({ port: 0, host: '127.0.0.1' })
  folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  const { merchant, publicKey, secretKey } = service.merchant
  const oauth = await service.oauth.clients.make(merchant.id, SCOPES)
  mkdirSync(join(folder, '.data'))
  writeFileSync(
    join(folder, '.data', 'demo.json'),
    JSON.stringify({
      public_key: publicKey,
      secret_key: secretKey,
      client_id: oauth?.clientId,
      client_secret: oauth?.clientSecret,
    }),
  )
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

/** The two ids that docs/webhooks.md leaves to the reader. */
async function toldWebhook() {
  const { _id: webhook } = await makeWebhook(service, { url: 'http://localhost:9/hooks' })
  await service.authorise()
  await sendWebhooks(service)
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const { body } = await service.call({ url: `/v1/webhooks/${webhook}/deliveries`, headers })
  return { webhook, event: /"event_id":"(\w+)"/.exec(JSON.stringify(body))?.[1] ?? '' }
}

/** Runs the background jobs of agreements, for which the commands wait. */
async function workUntil(ended: AbortSignal): Promise<void> {
  const { exchange } = await agreementCalls(service)
  while (!ended.aborted) {
    await exchange()
    await sleep(100)
  }
}

/** Runs the commands of pages in one terminal, from top to bottom, as a reader does; returns what they print. */
async function answersOf(pages: readonly string[]): Promise<string> {
  const { webhook, event } = await toldWebhook()
  const program = pages
    .flatMap((page) => snippetsIn(page, 'sh'))
    .filter((snippet) => snippet.includes('curl'))
    .join('\n')
    .replaceAll('WEBHOOK_ID', webhook)
    .replaceAll('EVENT_ID', event)
  const { stdout } = await run('bash', ['-euc', at(address, program)], { cwd: folder })
  return stdout
}

/** One command is answered 422 on purpose, as its comment says: a charge that is complete can't be released. */
const REFUSED = /"status":(?!422)[45]\d\d.*/

it.each([['README.md', 'docs/api.md', 'docs/webhooks.md'], ['docs/checkout.md'], ['docs/agreements.md']])(
  'the commands of %s run in a terminal, one after the other',
  async (...pages) => {
    const ended = new AbortController()
    const background = workUntil(ended.signal)
    try {
      const answers = await answersOf(pages)
      expect(answers.match(/"resource":|"access_token":/g)?.length).toBeGreaterThan(4)
      expect(REFUSED.exec(answers)?.[0]).toBeUndefined()
    } finally {
      ended.abort()
      await background
    }
  },
)
