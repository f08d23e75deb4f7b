import { expect, it } from 'vitest'
import { relyingPartyOf } from './webauthn.ts'

it.each([
  [
    'http://localhost:8070',
    'sandbox',
    { id: 'localhost', origin: 'http://localhost:8070', name: 'Card service (sandbox)' },
  ],
  [
    'https://dashboard.pay.example',
    'production_svc',
    { id: 'dashboard.pay.example', origin: 'https://dashboard.pay.example', name: 'Card service' },
  ],
  [
    'https://dashboard.pay.example:8443',
    'staging_svc',
    {
      id: 'dashboard.pay.example',
      origin: 'https://dashboard.pay.example:8443',
      name: 'Card service (staging)',
    },
  ],
])('the relying party of %s in %s', (url, environment, party) => {
  expect(relyingPartyOf(url, environment)).toEqual(party)
})
