import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { field, pay, person, typeCard } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'
import { dropped, openCheckout, paid, session } from './testing/checkout-page.ts'

const said = () => screen.getByRole('status').textContent
const alertWords = () => document.getElementById('form-alert')?.textContent

describe('a service that can’t be asked', () => {
  const UNREACHABLE =
    'The checkout can’t be reached\nCheck your connection. We’ll keep trying, and nothing is charged in the meantime.'

  it('takes no form away: it is said above the button, which asks again', async () => {
    const { events } = await openCheckout({ sessions: [dropped, session()] })
    await person.type(field('Card number'), '511111111')
    expect(alertWords()).toBe(UNREACHABLE)
    expect(events[0]).toMatchObject({ event: 'afterLoad' })
    await person.type(field('Card number'), '1111118')
    await person.click(screen.getByRole('button', { name: 'Try again now' }))
    await messagesDelivered()
    expect(screen.getByRole('button').textContent).toBe('Pay A$49.00')
    expect([alertWords(), said()]).toEqual(['', ''])
    expect(field('Card number').value).toBe('5111 1111 1111 1118')
  })

  it('is said once, and again after each try in vain that the person asked for', async () => {
    const { pass } = await openCheckout({ sessions: [dropped, dropped, dropped, dropped, session()] })
    const words = UNREACHABLE.replace('\n', '')
    expect(said()).toBe(words)
    pass(5000)
    await new Promise((done) => setTimeout(done, 1100))
    expect(said()).toBe(words)
    await pay()
    expect([said() === words, said().trim()]).toEqual([false, words])
    await pay()
    expect(said()).toBe(words)
    await pay()
    expect(said()).toBe('')
    expect(screen.getByRole('button').textContent).toBe('Pay A$49.00')
  })

  it('that is slow takes nothing away: what was typed stays, also over the shop’s own values', async () => {
    let arrive: (response: Response) => void = () => undefined
    const { events, timePassed } = await openCheckout({
      sessions: [() => new Promise((resolve) => (arrive = resolve))],
    })
    await person.type(field('Name on card'), 'Grace')
    await person.type(field('Card number'), '5111')
    timePassed()
    await messagesDelivered()
    expect(events.at(-1)).toMatchObject({ event: 'afterLoad' })
    expect([alertWords(), said()]).toEqual([
      'This is taking longer than usual. Please wait.',
      'This is taking longer than usual. Please wait.',
    ])
    await person.keyboard('1111')
    field('Security code').value = '100'
    arrive(
      await session({
        customer: { card_name: 'Ada King', email: 'ada@example.com' },
        configuration: {
          fields: [
            { field: 'email', required: true },
            { field: 'card_name', required: true },
            { field: 'card_number', required: true },
            { field: 'expire_month', required: true },
            { field: 'expire_year', required: true },
            { field: 'card_ccv', required: true },
          ],
        },
      })(),
    )
    await messagesDelivered()
    expect(document.activeElement).toBe(field('Card number'))
    await person.keyboard('11111118')
    expect(alertWords()).toBe('')
    const typed = ['Name on card', 'Card number', 'Security code', 'Email'].map((label) => field(label).value)
    expect(typed).toEqual(['Grace', '5111 1111 1111 1118', '100', 'ada@example.com'])
  })

  it('a device without a network is said so at the form, as long as it has none', async () => {
    let isOnline = false
    const tokens = [dropped, dropped, dropped]
    const { results } = await openCheckout({ tokens, online: () => isOnline })
    await typeCard()
    await pay()
    expect(alertWords()).toMatch(/offline/)
    expect(said()).toBe(alertWords())
    expect(results()).toMatchObject([{ event: 'paymentFailure', result: { code: 'offline' } }])
    isOnline = true
    window.dispatchEvent(new Event('online'))
    expect([alertWords(), said()]).toEqual(['', ''])
  })

  it('a browser that is wrong about the network keeps nobody from paying', async () => {
    const { results } = await openCheckout({ payments: [paid], online: () => false })
    await typeCard()
    await pay()
    expect(results()).toMatchObject([{ event: 'paymentSuccessful' }])
  })

  it('a browser that is wrong about the network is not believed while the bank is asked', async () => {
    await openCheckout({ sessions: [session({ payment_under_way: true })], online: () => false })
    window.dispatchEvent(new Event('offline'))
    await messagesDelivered()
    expect(document.getElementById('result-text')?.textContent).toMatch(/^Your bank has not answered yet\./)
    expect(said()).not.toMatch(/offline/)
  })

  it('a payment whose request was in vain without a network says so until the next one arrives', async () => {
    let isOnline = false
    let arrive: (response: Response) => void = () => undefined
    const answer = () => new Promise<Response>((resolve) => (arrive = resolve))
    await openCheckout({ payments: [dropped, answer], online: () => isOnline })
    await typeCard()
    await pay()
    expect(document.getElementById('result-text')?.textContent).toMatch(/^You are offline\./)
    isOnline = true
    arrive(await paid())
    await messagesDelivered()
    expect(document.querySelector('.result.paid')).not.toBeNull()
  })

  it('a network that is lost and found while the bank is asked is said each time', async () => {
    let isOnline = true
    const underWay = session({ payment_under_way: true })
    await openCheckout({ sessions: [underWay, dropped, dropped, dropped, underWay], online: () => isOnline })
    isOnline = false
    window.dispatchEvent(new Event('offline'))
    await messagesDelivered()
    expect(said()).toMatch(/^Checking with your bankYou are offline\./)
    isOnline = true
    window.dispatchEvent(new Event('online'))
    expect(said()).toMatch(/^Checking with your bankYour bank has not answered yet\./)
  })
})
