import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService } from '../../service/testing/test-service.ts'
import type { TestService } from '../../service/testing/test-service.ts'
import { describedApiText } from './described-api-text.ts'

/** `npm run client:types`: the types are written anew instead of being compared. */
const isWriting = process.env['WRITE_CLIENT_TYPES'] !== undefined

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

/** As `npm run format` leaves it. */
const formatted = (file: string, text: string) =>
  execFileSync('node_modules/.bin/oxfmt', [`--stdin-filepath=${file}`], { input: text, encoding: 'utf8' })

it('the types of the client are those of the API: else npm run client:types', async () => {
  const document: unknown = JSON.parse((await service.raw({ url: '/openapi.json' })).body)
  const { types, operations } = await describedApiText(document)
  for (const [file, text] of [
    ['src/server-client/described-api.ts', types],
    ['src/server-client/operations.ts', operations],
  ] as const) {
    const expected = formatted(file, text)
    if (isWriting) writeFileSync(file, expected)
    expect(readFileSync(file, 'utf8')).toBe(expected)
  }
})
