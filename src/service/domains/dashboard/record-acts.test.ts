import { afterAll, beforeAll, expect, it } from 'vitest'
import { actWords } from '../../../dashboard/pages/audit/words/event-words.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { isSafe } from './refuse-forged-requests.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

it('every act has words in act-words.ts for the audit log', () => {
  const acts = service.dashboard.routes
    .filter(({ method, permission }) => !isSafe(method) && permission !== 'none')
    .map(({ method, path }) => `${method} ${path}`)
  expect(acts.length).toBeGreaterThan(25)
  expect(acts.filter((act) => actWords(act) === null)).toEqual([])
})
