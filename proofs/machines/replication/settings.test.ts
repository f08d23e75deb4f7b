import { expect, it } from 'vitest'
import { environmentWith, settingsWith } from './settings.ts'

it('changes nothing but addresses in the settings that operators start from', () => {
  const text = settingsWith('haproxy.cfg', { 'db2:5432': '127.0.0.1:1' })
  expect(text).toContain('server db2 127.0.0.1:1 check port 8008')
  expect(text.replace('127.0.0.1:1 ', 'db2:5432 ')).toBe(settingsWith('haproxy.cfg', {}))
  expect(environmentWith('patroni.env', { PATRONI_NAME: 'other' })).toMatchObject({
    PATRONI_NAME: 'other',
    PATRONI_SUPERUSER_USERNAME: 'postgres',
  })
})

it('refuses a name that the settings do not have', () => {
  expect(() => settingsWith('haproxy.cfg', { 'db4:5432': '127.0.0.1:1' })).toThrow(
    'haproxy.cfg has no db4:5432',
  )
  expect(() => environmentWith('patroni.env', { PATRONI_NAMES: 'x' })).toThrow(
    'patroni.env has no PATRONI_NAMES',
  )
})
