import { expect, it } from 'vitest'
import { isPageOrigin } from './page-origin.ts'

it.each([
  'https://shop.example',
  'https://*.shop.example',
  'https://xn--bcher-kva.example:8443',
  'http://localhost:8090',
  'http://127.0.0.1',
  'http://[::1]:8090',
])('%s is an origin', (text) => expect(isPageOrigin(text)).toBe(true))

it.each([
  'https://x.example;sandbox',
  'https://x.example,https://y.example',
  "https://x.example'none'",
  'https://x.example https://y.example',
  'https://x.example/',
  'https://x.example/shop',
  'https://x.example:443',
  'https://X.example',
  'https://user@x.example',
  'https://*',
  '*',
  'https:',
  'capacitor://localhost',
  'data:text/html',
  'null',
  '',
])('%j is none', (text) => expect(isPageOrigin(text)).toBe(false))
