import { expect, it } from 'vitest'
import { isReturnUrl } from './return-url.ts'

it.each([
  'https://shop.example',
  'https://shop.example:8443/basket?order=7#pay',
  'http://localhost:8090/basket',
  'http://127.0.0.1/',
  'http://[::1]:3000/',
])('%s leads back to a shop', (address) => {
  expect(isReturnUrl(address)).toBe(true)
})

it.each([
  '',
  '/basket',
  'shop.example',
  'http://shop.example',
  'http://localhost.evil.example/',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'blob:https://shop.example/1',
  'https://ada:secret@shop.example/',
  `https://shop.example/${'a'.repeat(2000)}`,
])('%j leads nowhere', (address) => {
  expect(isReturnUrl(address)).toBe(false)
})
