import { expect, it } from 'vitest'
import { createRecoveryCodes, recoveryCodeHash } from './recovery-code.ts'

it('ten are made, each another, of letters and digits that are told apart', () => {
  const codes = createRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^(?:[a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/)
})

it('a code is known again however it was typed, and for its person alone', () => {
  const hash = recoveryCodeHash('u1', 'k7wp-3xmd-9qhr-t2ce')
  for (const typed of ['K7WP3XMD9QHRT2CE', ' k7wp 3xmd 9qhr t2ce ', 'k7wp_3xmd_9qhr_t2ce'])
    expect(recoveryCodeHash('u1', typed)).toEqual(hash)
  expect(recoveryCodeHash('u2', 'k7wp-3xmd-9qhr-t2ce')).not.toEqual(hash)
  expect(recoveryCodeHash('u1', 'k7wp-3xmd-9qhr-t2cd')).not.toEqual(hash)
})
