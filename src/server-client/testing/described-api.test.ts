import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService } from '../../service/testing/test-service.ts'
import type { TestService } from '../../service/testing/test-service.ts'
import { describedApiText } from './described-api-text.ts'

const FILE = 'src/server-client/described-api.ts'
/** `npm run client:types`: the types are written anew instead of being compared. */
const isWriting = process.env['WRITE_CLIENT_TYPES'] !== undefined

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

/** As `npm run format` leaves it. */
const formatted = (text: string) =>
  execFileSync('node_modules/.bin/oxfmt', [`--stdin-filepath=${FILE}`], { input: text, encoding: 'utf8' })

it('the types of the client are those of the API: else npm run client:types', async () => {
  const document: unknown = JSON.parse((await service.raw({ url: '/openapi.json' })).body)
  const text = formatted(describedApiText(document))
  if (isWriting) writeFileSync(FILE, text)
  expect(readFileSync(FILE, 'utf8')).toBe(text)
})
