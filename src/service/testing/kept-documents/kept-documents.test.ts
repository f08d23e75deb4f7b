import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import semver from 'semver'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../test-service.ts'
import type { TestService } from '../test-service.ts'
import { breakingChanges } from './breaking-changes.ts'

/** `npm run openapi`: the document of this version is written instead of being compared. */
const isWriting = process.env['WRITE_OPENAPI'] !== undefined

const Json = v.record(v.string(), v.unknown())
const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync('package.json', 'utf8')),
)
const fileOf = (one: string) => `openapi/${one}.json`
const kept = readdirSync('openapi').map((name) => name.replace('.json', ''))

let service: TestService
let served: string
beforeAll(async () => {
  service = await createTestService()
  const { info, ...document } = v.parse(Json, JSON.parse((await service.raw({ url: '/openapi.json' })).body))
  served = `${JSON.stringify({ ...document, info: { ...v.parse(Json, info), version } }, null, 1)}\n`
})
afterAll(() => service.close())

describe('the documents of the API that are kept in openapi/', () => {
  it('a change that can break a caller needs a new version', () => {
    const newest = semver.rsort(kept)[0]
    if (newest === undefined || semver.gt(version, newest)) return
    const before = v.parse(Json, JSON.parse(readFileSync(fileOf(newest), 'utf8')))
    const changes = breakingChanges(before, v.parse(Json, JSON.parse(served)))
    const words = 'raise the version (npm version minor --no-git-tag-version), then npm run openapi'
    expect(changes, words).toEqual([])
    if (isWriting) writeFileSync(fileOf(version), served)
  })

  it('the document of this version is there as it is served: else npm run openapi', () => {
    if (isWriting && !existsSync(fileOf(version))) writeFileSync(fileOf(version), served)
    expect(readFileSync(fileOf(version), 'utf8') === served, `${fileOf(version)} is out of date`).toBe(true)
  })
})
