import { describe, expect, it, vi } from 'vitest'
import { Checkout } from './checkout.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { watchListeners } from './testing/listener-count.ts'
import { ORIGIN, useWidgetPage } from './testing/widget-page.ts'

const INTENT = '65f0c0ffee65f0c0ffee65f0'
const tokenOf = (claims: unknown) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`
const TOKEN = tokenOf({ sub: INTENT })
const PAID = { intent_id: INTENT, charge_id: '65f0c0ffee65f0c0ffee65f1' }

useWidgetPage()

const make = (token = TOKEN) => new Checkout('#card', token).setEnv('sandbox', ORIGIN)

/** A checkout whose frame has come and was greeted. */
async function shown(prepare: (checkout: Checkout) => void = () => undefined, token = TOKEN) {
  const checkout = make(token)
  prepare(checkout)
  await Promise.resolve()
  const frame = new FakeFrame().load()
  return { checkout, frame }
}

async function heard(): Promise<void> {
  await new Promise((done) => setTimeout(done, 10))
}

describe('a checkout', () => {
  it('shows itself once the script around it has ended; the token is in no address', async () => {
    const { frame } = await shown((checkout) => checkout.setLanguage('fr'))
    expect(frame.element.src).toMatch(
      new RegExp(`^${ORIGIN}/sdk/v[^/]+/checkout\\?intent_id=${INTENT}&language=fr#late$`),
    )
    expect(frame.element.outerHTML).not.toContain(TOKEN)
    expect(frame.element.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms')
    expect(frame.element.referrerPolicy).toBe('no-referrer')
    expect(frame.greeting.token).toBe(TOKEN)
    expect(frame.greeting.origin).toBe(ORIGIN)
  })

  it('finds its intent in the token, whatever else is in it', async () => {
    const claims = { iss: 'svc', sub: INTENT, exp: 1, note: '~~~???üü' }
    const { frame } = await shown(undefined, tokenOf(claims))
    expect(new URL(frame.element.src).searchParams.get('intent_id')).toBe(INTENT)
  })

  it.each(['', 'no token', 'a.b.c', 'a.%%%.c', tokenOf(null), tokenOf({})])(
    'asks for no intent by %j: the service refuses it',
    async (token) => {
      const { frame } = await shown(undefined, token)
      expect(new URL(frame.element.src).searchParams.get('intent_id')).toBe('')
    },
  )

  it('a container that is not there throws at once', () => {
    expect(() => new Checkout('#nowhere', TOKEN)).toThrow(TypeError)
  })

  it('tells each end of a payment to its own callback, with the contract’s fields and no more', async () => {
    const [paid, failed, expired] = [vi.fn(), vi.fn(), vi.fn()]
    const { checkout, frame } = await shown((made) =>
      made.onPaymentSuccessful(paid).onPaymentFailure(failed).onPaymentExpired(expired),
    )
    frame.emit({ event: 'afterLoad' })
    await checkout.load()
    const failure = { message: 'Declined.', code: 'transaction_declined' }
    frame.emit({ event: 'paymentFailure', result: failure })
    frame.emit({ event: 'paymentSuccessful', result: PAID })
    frame.emit({ event: 'paymentExpired' })
    await heard()
    expect(failed.mock.calls).toEqual([[failure]])
    expect(paid.mock.calls).toEqual([[PAID]])
    expect(expired.mock.calls).toEqual([[]])
  })

  describe('on the way back to the shop', () => {
    const lead = async (return_url: string) => {
      history.replaceState(null, '', '#here')
      const { checkout, frame } = await shown()
      frame.emit({ event: 'backToShop', return_url })
      await heard()
      checkout.destroy()
      return location.hash
    }

    it('the page goes to the address that the merchant gave', async () => {
      expect(await lead(new URL('#basket', location.href).href)).toBe('#basket')
    })

    it.each(['javascript:location.hash="x"', '#basket', 'http://shop.example/'])(
      '%s leads nowhere, whatever the frame says',
      async (address) => {
        expect(await lead(address)).toBe('#here')
      },
    )

    it('an address of the page goes to the form, whole; what is none is a line in the console', async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      const { frame } = await shown((made) =>
        made.setReturnUrl('/basket').setReturnUrl('javascript:alert(1)'),
      )
      expect(frame.greeting.welcome.settings.return_url).toBe(new URL('/basket', location.href).href)
      expect(warn.mock.calls).toEqual([[expect.stringContaining('give an https address')]])
    })
  })

  it('the intent’s end is told once, also if the page moves the checkout and it loads again', async () => {
    const [paid, expired] = [vi.fn(), vi.fn()]
    const { frame } = await shown((made) => made.onPaymentSuccessful(paid).onPaymentExpired(expired))
    for (let documents = 0; documents < 2; documents += 1) {
      frame.emit({ event: 'paymentExpired' })
      frame.emit({ event: 'paymentSuccessful', result: PAID })
      await heard()
      frame.load()
    }
    expect([paid.mock.calls.length, expired.mock.calls.length]).toEqual([1, 1])
  })

  it('one that can’t be shown is a failure to the page, and load() says why', async () => {
    const failed = vi.fn()
    const { checkout, frame } = await shown((made) => made.onPaymentFailure(failed))
    const loading = checkout.load()
    frame.emit({
      event: 'systemError',
      error: { code: 'unauthorized', message: 'No such token.', retryable: false },
    })
    await expect(loading).rejects.toMatchObject({ code: 'unauthorized' })
    expect(failed.mock.calls).toEqual([[{ code: 'unauthorized', message: 'No such token.' }]])
  })

  it('follows the height of its content', async () => {
    const { frame } = await shown()
    frame.emit({ event: 'resize', height: 512.2, width: 400 })
    await vi.waitFor(() => expect(frame.element.style.height).toBe('513px'))
  })

  it('a look that changes later reaches the frame', async () => {
    const { checkout, frame } = await shown((made) => made.setTheme('soft'))
    expect(frame.greeting.welcome.settings.theme).toBe('soft')
    checkout.setStyle('button_color', '#123456')
    await heard()
    expect(frame.commands).toEqual([{ command: 'set', settings: { styles: { button_color: '#123456' } } }])
  })

  it('after destroy nothing is left and nothing is told', async () => {
    const listened = watchListeners()
    const paid = vi.fn()
    const { checkout, frame } = await shown((made) => made.onPaymentSuccessful(paid))
    checkout.destroy()
    frame.emit({ event: 'paymentSuccessful', result: PAID })
    await heard()
    expect(paid).not.toHaveBeenCalled()
    expect(document.querySelector('iframe')).toBeNull()
    expect(listened()).toEqual([])
  })

  it('destroyed before it was shown, it never comes', async () => {
    make().destroy()
    await Promise.resolve()
    expect(document.querySelector('iframe')).toBeNull()
  })
})
