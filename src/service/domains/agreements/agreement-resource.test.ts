import { expect, it } from 'vitest'
import { entityTagOf } from './agreement-resource.ts'

it('an agreement’s ETag is made of what counts every change', () => {
  expect(entityTagOf({ revision: 3 })).toBe('"3"')
})
