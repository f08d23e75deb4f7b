import { screen } from '@testing-library/preact'
import { expect, it } from 'vitest'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { button, field, pay, person, typeCard } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'

const RECEIVED = 'Card details receivedMastercard ending in 1118'
const said = () => screen.getByRole('status').textContent

it('a wait that is longer than usual is said, once, and no more when it is over', async () => {
  let arrive: (response: Response) => void = () => undefined
  const page = await openFrame({ send: () => new Promise((done) => (arrive = done)) })
  await typeCard()
  await pay()
  expect([button().textContent, said()]).toEqual(['Sending card details…', 'Sending card details…'])
  page.timePassed()
  const words = 'This is taking longer than usual. Please wait.'
  expect([button().textContent, said()]).toEqual([words, words])
  arrive(await answer(201)())
  await messagesDelivered()
  expect([button().textContent, said()]).toEqual(['Card details received', RECEIVED])
})

it('what no longer holds is taken out of the live region', async () => {
  await openFrame({ send: createService(answer(503), answer(503), answer(503)).send })
  await pay()
  expect(said()).toMatch(/^Enter the card number\./)
  await typeCard()
  expect(said()).toBe('')
  await pay()
  expect(said()).toMatch(/^Something went wrong on our side\./)
  await person.type(field('Name on card'), ' II')
  expect(said()).toBe('')
})

it('that the device is offline is said as long as it is', async () => {
  const alertWords = () => document.getElementById('form-alert')?.textContent
  await openFrame({ online: false, send: createService().send })
  await typeCard()
  await pay()
  expect(said()).toMatch(/^You are offline\./)
  expect(alertWords()).toBe(said())
  window.dispatchEvent(new Event('online'))
  expect([alertWords(), said()]).toEqual(['', ''])
})

it.each([
  [true, 'Card details received', RECEIVED],
  [false, 'Pay', 'The shop couldn’t process this card. Press Pay to try again, or use another card.'],
])(
  'the form is busy until the page has used the token (done: %s); the button then says %s',
  async (is_done, text, words) => {
    const page = await openFrame({ settles: false })
    await typeCard()
    await pay()
    expect(page.named('finish')).toHaveLength(1)
    expect(button().textContent).toBe('Sending card details…')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    page.command({ command: 'settle', is_done })
    await messagesDelivered()
    expect([button().textContent, said()]).toEqual([text, words])
  },
)
