import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { field, pay, person, typeCard } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'
import { dropped, openCheckout, paid, session } from './testing/checkout-page.ts'

const heading = () => screen.getByRole('heading').textContent
const said = () => screen.getByRole('status').textContent
const alertWords = () => document.getElementById('form-alert')?.textContent

describe('a service that can’t be asked', () => {
  it('is asked again, and the form comes when it answers', async () => {
    const { events } = await openCheckout({ sessions: [dropped, session()] })
    expect(heading()).toBe('The checkout can’t be reached')
    expect(events[0]).toMatchObject({ event: 'afterLoad' })
    await person.click(screen.getByRole('button', { name: 'Try again now' }))
    await messagesDelivered()
    expect(screen.getByRole('button').textContent).toBe('Pay A$49.00')
  })

  it('each try in vain is said, and the form that comes has the focus of who waited for it', async () => {
    await openCheckout({ sessions: [dropped, dropped, dropped, session()] })
    const press = async () => {
      await person.click(screen.getByRole('button', { name: 'Try again now' }))
      await messagesDelivered()
      return screen.getByRole('status').textContent
    }
    const said = [await press(), await press()]
    expect(said[0]).toMatch(/^The checkout can’t be reached/)
    expect([said[1] === said[0], said[1]?.trim()]).toEqual([false, said[0]])
    expect(await press()).toBe('')
    expect(document.activeElement).toBe(field('Name on card'))
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

  it('a network that is lost and found while the bank is asked is said each time', async () => {
    let isOnline = true
    await openCheckout({ sessions: [session({ payment_under_way: true })], online: () => isOnline })
    isOnline = false
    window.dispatchEvent(new Event('offline'))
    expect(said()).toMatch(/^Checking with your bankYou are offline\./)
    isOnline = true
    window.dispatchEvent(new Event('online'))
    expect(said()).toMatch(/^Checking with your bankYour bank has not answered yet\./)
  })
})
