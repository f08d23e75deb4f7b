import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SETTING_NAMES } from './config.ts'
import { createTestService } from './testing/test-service.ts'

const files = readdirSync('deploy', { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.isFile(),
)
const textOf = new Map(
  files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
)

/** Each name once. */
function namesIn(text: string, form: RegExp): string[] {
  return [...new Set(text.match(form))].sort()
}

it('files for deployment name settings that there are', () => {
  const named = namesIn([...textOf.values()].join('\n'), /\bSVC_[A-Z_]+/g)
  expect(named).toContain('SVC_DATABASE_URL_FILE')
  expect(named.filter((name) => !SETTING_NAMES.includes(name))).toEqual(['SVC_BUILD_ORIGINS'])
})

it.each(['alerts.yaml', 'dashboard.json'])('%s reads figures that the service gives', async (file) => {
  const service = await createTestService()
  const given = namesIn((await service.raw({ url: '/metrics' })).body, /(?<=^# TYPE )\w+/gm)
  const read = namesIn(textOf.get(file) ?? '', /\b(?:svc|nodejs|process)_[a-z\d_]+_[a-z\d_]+/g)
  expect(read).toContain('svc_authentications_total')
  expect(read.filter((name) => !given.includes(name.replace(/_(?:bucket|count|sum)$/, '')))).toEqual([])
  await service.close()
})
