import { expect, it } from 'vitest'
import { linked } from './chain.ts'

const head = { length: 41, hash: Buffer.alloc(32, 7) }
const event = {
  id: '6b01799184f819f4cecbe1a7',
  merchantId: 'm',
  type: 'charge.captured',
  subject: '6b01799184f819f4cecbe1a6',
  actor: 'merchant',
  facts: { reference: 'Zoë "№ 7"\n', amount: 1000, list: [{ z: 1, y: null }], Bee: true },
  createdAt: new Date('2026-03-04T05:06:07.089Z'),
}

// The hashes were computed by another program (Python's hashlib) from the texts beside them.
it.each([
  [
    event.facts,
    // [42,"6b01799184f819f4cecbe1a7","m","charge.captured","6b01799184f819f4cecbe1a6","merchant",
    //  {"Bee":true,"amount":1000,"list":[{"y":null,"z":1}],"reference":"Zoë \"№ 7\"\n"},"2026-03-04T05:06:07.089Z"]
    '3c1a589a6b1cbb07db1b3b7b064f2289bd5a1bd4865be99e26176dd4b3d669f3',
  ],
  [
    // Names are sorted as texts, also those that look like numbers: {"10":1,"9":2}
    { 9: 2, 10: 1 },
    '19d66f530b4babdb0f2256fdeb3262cdb9a1dc76438fe429f8b9763f3908a671',
  ],
])('an event is linked by SHA-256 of the hash before it and its canonical JSON: %j', (facts, hash) => {
  const next = linked(head, { ...event, facts })
  expect([next.length, next.hash.toString('hex')]).toEqual([42, hash])
})
