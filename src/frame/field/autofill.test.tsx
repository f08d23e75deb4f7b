import { fireEvent } from '@testing-library/preact'
import { expect, it } from 'vitest'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { field, pay } from '../testing/person.ts'

// As browsers do it: all values in one go, in no order of ours, each with its events and without the focus.
it.each([
  { number: '5111111111111118', expiry: '01/39' },
  { number: '5111 1111 1111 1118', expiry: '01/2039' },
  { number: '5111-1111-1111-1118', expiry: '2039-01' },
])('the browser fills all fields at once, with $number and $expiry', async ({ number, expiry }) => {
  const service = createService(answer(201))
  const page = await openFrame({ send: service.send })
  const values = {
    'Security code': '100',
    'Expiry date': expiry,
    'Card number': number,
    'Name on card': 'Grace Hopper',
  }
  for (const [label, value] of Object.entries(values)) fireEvent.input(field(label), { target: { value } })
  for (const label of Object.keys(values)) fireEvent.change(field(label))
  await pay()
  expect(service.bodies).toMatchObject([
    {
      card_name: 'Grace Hopper',
      card_number: '5111111111111118',
      expire_month: 1,
      expire_year: 2039,
      card_ccv: '100',
    },
  ])
  expect(page.named('finish')).toHaveLength(1)
  expect(page.named('validationError')).toEqual([])
})
