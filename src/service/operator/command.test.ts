import { expect, it } from 'vitest'
import { outputBy } from './command.ts'

function told(act: (output: ReturnType<typeof outputBy>) => void) {
  let [said, complained] = ['', '']
  act(
    outputBy(
      (text) => (said += text),
      (text) => (complained += text),
    ),
  )
  return { said, complained }
}

it('a document has no character that is a command to a terminal, and reads as it was', () => {
  const document = { name: 'Acme\u001b[2J\u009b1m\u202e\u2028 é 店' }
  const { said } = told(({ show }) => show({ json: true }, document))
  expect(said).toMatch(/^\{\n {2}"name": "Acme\\u001b\[2J\\u009b1m\\u202e\\u2028 é 店"\n\}\n$/)
  expect(JSON.parse(said)).toEqual(document)
})

it('without --json a document is a line for each field, and for each entry of a list', () => {
  const document = { id: 'a1', issuer: null, is_on: true, keys: [{ key_id: 'k1', ends_at: 'never' }, 'two'] }
  const { said } = told(({ show }) => show({}, document))
  expect(said).toBe('id      a1\nissuer  -\nis_on   true\nkeys    k1  never\nkeys    two\n')
})

it('a remark goes to standard error alone, on one line', () => {
  expect(told(({ note }) => note('one\ntwo'))).toEqual({ said: '', complained: 'one\\u{a}two\n' })
})
