import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { FACTS } from '../testing/browser-facts.ts'
import { answer, createService, openFrame, TOKEN } from '../testing/frame-page.ts'
import { button, field, pay, person, typeCard, words } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'

describe('a submit', () => {
  it('sends the card once and finishes once, however often it is pressed', async () => {
    const service = createService(answer(201))
    const page = await openFrame({ send: service.send })
    await typeCard()
    await person.keyboard('{Enter}')
    await person.dblClick(button())
    await messagesDelivered()
    await pay()
    expect(service.bodies).toEqual([
      {
        type: 'card',
        browser: FACTS,
        gateway_id: 'default',
        card_name: 'Grace Hopper',
        card_number: '5111111111111118',
        expire_month: 1,
        expire_year: 2039,
        card_ccv: '100',
      },
    ])
    expect(page.named('submit')).toHaveLength(1)
    expect(page.named('finish')).toMatchObject([{ payment_source: TOKEN }])
  })

  it('under way holds the fields still and says so', async () => {
    let answerNow: (response: Response) => void = () => undefined
    await openFrame({ send: () => new Promise((resolve) => (answerNow = resolve)) })
    await typeCard()
    await pay()
    expect(button().textContent).toBe('Sending card details…')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(button().hasAttribute('disabled')).toBe(false)
    expect(field('Card number').readOnly).toBe(true)
    answerNow(await answer(201)())
    await messagesDelivered()
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  it('that is still wrong is heard again at each press, with the focus where the fault is', async () => {
    await openFrame()
    await pay()
    const heard = [screen.getByRole('status').textContent]
    for (let press = 0; press < 2; press += 1) {
      await person.type(field('Name on card'), '{Enter}')
      await messagesDelivered()
      heard.push(screen.getByRole('status').textContent)
      expect(document.activeElement).toBe(field('Name on card'))
    }
    // The focus that comes to the name says its fault the first time.
    expect(heard[0]).toMatch(/^Enter the card number\. /)
    expect(heard[1]).toMatch(/^Enter the name on the card\. Enter the card number\. /)
    expect(heard[2]).not.toBe(heard[1])
    expect(heard[2]?.trim()).toBe(heard[1])
  })

  it('refused by the service shows it at the field, keeps the typed text, and can be sent again', async () => {
    const details = [{ path: 'card_number', message: 'card_number is not valid' }]
    const service = createService(
      answer(400, { code: 'validation_error', message: 'no', details }),
      answer(201),
    )
    const page = await openFrame({ send: service.send })
    await typeCard()
    await pay()
    const said = 'These card details were not accepted. Check them, or use another card.'
    expect(page.named('validationError')).toMatchObject([
      { error: { code: 'validation_error', message: said, details }, invalid_fields: ['card_number'] },
    ])
    expect(screen.getAllByText(said)).toHaveLength(2)
    expect(words('Card number')).toBe('This was not accepted. Check it on the card.')
    expect(document.activeElement).toBe(field('Card number'))
    expect(field('Card number').value).toBe('5111 1111 1111 1118')
    await pay()
    expect(page.named('finish')).toHaveLength(1)
  })

  it('refused loses its words as soon as the field is edited', async () => {
    const details = [{ path: 'expire_year', message: 'no' }]
    await openFrame({ send: createService(answer(422, { code: 'expired', message: 'no', details })).send })
    await typeCard()
    await pay()
    expect(words('Expiry date')).not.toBe('')
    await person.type(field('Expiry date'), '{Backspace}8')
    await messagesDelivered()
    expect(words('Expiry date')).toBe('')
    expect(document.querySelector('#form-alert')?.textContent).toBe('')
  })

  it.each([
    [answer(401, { code: 'unauthorized', message: 'no' }), 'unauthorized', false, 'Contact the shop'],
    [
      answer(429, { code: 'rate_limited', message: 'no' }),
      'rate_limited',
      true,
      'Wait a minute and press Pay again.',
    ],
    [
      answer(503, { code: 'service_unavailable', message: 'no' }),
      'service_unavailable',
      true,
      'press Pay again.',
    ],
    [
      () => Promise.reject(new TypeError('Failed to fetch')),
      'network_error',
      true,
      'Check your connection and press Pay again.',
    ],
    [
      () => Promise.reject(new DOMException('late', 'TimeoutError')),
      'timeout',
      true,
      'Check your connection and press Pay again.',
    ],
  ])(
    'that fails with $1 says what to do, to the page and to the person',
    async (given, code, retryable, todo) => {
      const page = await openFrame({ send: createService(given, given, given).send })
      await typeCard()
      await pay()
      const message = document.querySelector('#form-alert')?.textContent
      expect(message).toContain(todo)
      expect(page.named('systemError')).toMatchObject([{ error: { code, message, retryable } }])
      expect(screen.getByRole('status').textContent).toBe(message)
      expect(field('Security code').value).toBe('100')
      expect(button().textContent).toBe('Pay')
    },
  )
})
