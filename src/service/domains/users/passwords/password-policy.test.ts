import { describe, expect, it } from 'vitest'
import { commonPasswords } from './choose-password.ts'
import { passwordFault } from './password-policy.ts'

const email = 'grace.hopper@acme.example'
const common = await commonPasswords()

const MANY_HAVE = 'is one that many people have; choose another'
const OWN = 'must not be made of your e-mail address or the name of this service'

describe('a password that a person may not choose', () => {
  it.each([
    ['1qaz2wsx3edc', MANY_HAVE],
    ['Administrator', MANY_HAVE],
    ['Administrator2026!', MANY_HAVE],
    ['!!Unbelievable1', MANY_HAVE],
    ['passwordpassword', MANY_HAVE],
    ['PasswordPassword', MANY_HAVE],
    ['aaaaaaaaaaaaaaaa', MANY_HAVE],
    ['abcabcabcabcabc', MANY_HAVE],
    ['123456789012', MANY_HAVE],
    ['ｐａｓｓｗｏｒｄｐａｓｓｗｏｒｄ', MANY_HAVE],
    ['grace.hopper@acme.example', OWN],
    ['Grace.Hopper!', OWN],
    ['grace.hopper2026', OWN],
    ['card service 1', OWN],
    ['Dashboard-2026', OWN],
  ])('%s', (password, fault) => {
    expect(passwordFault(password, { email, common })).toBe(fault)
  })
})

describe('a password that a person may choose, of whatever characters', () => {
  it.each([
    'correct horse battery staple',
    'quiet river stone',
    'alllowercaseletters',
    '928374650192',
    'Übergänge im Nebel',
    '東京の静かな川の石の上で',
    'grace.hopper likes warm rivers',
    '🦊🌊🪨🌲🦉🍄🌙⭐🔥🌧🌿🐝',
  ])('%s', (password) => {
    expect(passwordFault(password, { email, common })).toBeNull()
  })
})
