import { act, createElement, createRef, StrictMode } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Checkout as FramedCheckout } from '../checkout.ts'
import type { HtmlWidget } from '../html-widget.ts'
import { replaceForms } from '../test-double/replace-forms.ts'
import type { TestForms } from '../test-double/replace-forms.ts'
import { TEST_TOKEN } from '../test-double/outcomes.ts'
import type { Canvas3ds } from '../canvas-3ds.ts'
import { CardChallenge } from './card-challenge.ts'
import { CardWidget } from './card-widget.ts'
import { Checkout } from './checkout.ts'

let root: Root
let page: HTMLElement
let forms: TestForms
const lines: unknown[] = []
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // As in jsdom.
  vi.stubGlobal('matchMedia', undefined)
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  forms = replaceForms()
  page = document.body.appendChild(document.createElement('main'))
  root = createRoot(page)
})
afterEach(async () => {
  await act(() => {
    root.unmount()
    return Promise.resolve()
  })
  forms.restore()
  page.remove()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  lines.length = 0
})

const show = (node: ReactNode) =>
  act(() => {
    root.render(createElement(StrictMode, null, node))
    return Promise.resolve()
  })
const inputs = () => [...page.querySelectorAll('input')]

async function pay(): Promise<void> {
  await act(async () => {
    for (const input of inputs()) {
      input.value = '1'
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
    page.querySelector('button')?.click()
    await Promise.resolve()
  })
}

describe('<CardWidget>', () => {
  it('has no frame, which would ask the service, where forms are those of a test', async () => {
    const made = vi.spyOn(document, 'createElement')
    await show(createElement(CardWidget, { publicKey: 'pk_1', origin: 'https://cards.example' }))
    expect(inputs()).not.toEqual([])
    expect(made.mock.calls.filter(([name]) => name === 'iframe')).toEqual([])
  })

  it('shows one form under StrictMode, with its class; its ref is the widget meanwhile', async () => {
    const ref = createRef<HtmlWidget>()
    await show(createElement(CardWidget, { ref, publicKey: 'pk_1', className: 'card' }))
    expect(page.querySelectorAll('.card [data-testid="svc-card-form"]')).toHaveLength(1)
    expect(ref.current?.isValidForm()).toBe(false)
    await show(null)
    expect([ref.current, inputs(), lines]).toEqual([null, [], []])
  })

  it('can be paid through in a test, without a frame and a network', async () => {
    const finished = vi.fn()
    await show(createElement(CardWidget, { publicKey: 'pk_1', onFinish: finished }))
    await pay()
    expect(finished.mock.calls).toEqual([[expect.objectContaining({ payment_source: TEST_TOKEN })]])
  })

  it('says in the console what nobody listens to, and not what somebody does', async () => {
    forms.failLoadWith('frame_not_loaded', 'No answer.')
    await show(createElement(CardWidget, { publicKey: 'pk_1' }))
    // StrictMode shows it twice: the first one was taken away before it could fail.
    expect(lines).toEqual(['[svc] No answer. (frame_not_loaded)'])
    const failed = vi.fn()
    await show(createElement(CardWidget, { publicKey: 'pk_2', onSystemError: failed }))
    expect([failed.mock.calls.length, lines.length]).toEqual([1, 1])
  })

  it('takes properties that are undefined, and another key makes another form', async () => {
    const ref = createRef<HtmlWidget>()
    const undefinedOnes = { gatewayId: undefined, origin: undefined, theme: undefined, onFinish: undefined }
    await show(createElement(CardWidget, { ref, publicKey: 'pk_1', ...undefinedOnes }))
    const first = ref.current
    await show(createElement(CardWidget, { ref, publicKey: 'pk_1', language: 'fr' }))
    expect(ref.current).toBe(first)
    await show(createElement(CardWidget, { ref, publicKey: 'pk_2' }))
    expect(ref.current).not.toBe(first)
    expect(page.querySelectorAll('[data-testid="svc-card-form"]')).toHaveLength(1)
  })
})

describe('<Checkout>', () => {
  it('waits for its token, is paid, and is gone with the component', async () => {
    const [paid, ref] = [vi.fn(), createRef<FramedCheckout>()]
    const props = { ref, onPaymentSuccessful: paid, className: 'checkout' }
    await show(createElement(Checkout, { ...props, token: undefined }))
    expect([inputs(), ref.current]).toEqual([[], null])
    await show(createElement(Checkout, { ...props, token: 'token' }))
    expect(page.querySelectorAll('.checkout [data-testid="svc-card-form"]')).toHaveLength(1)
    await pay()
    expect(paid).toHaveBeenCalledOnce()
    await show(null)
    expect([inputs(), ref.current, lines]).toEqual([[], null, []])
  })

  it('tells of a decline, in the console where nobody listens', async () => {
    const failed = vi.fn()
    forms.declineWith('insufficient_funds', 'Too little.')
    await show(createElement(Checkout, { token: 'token', onPaymentFailure: failed }))
    await pay()
    expect(failed.mock.calls).toEqual([[{ code: 'insufficient_funds', message: 'Too little.' }]])
    await show(createElement(Checkout, { token: 'token' }))
    await pay()
    expect(lines).toEqual(['[svc] Too little. (insufficient_funds)'])
  })
})

describe('<CardChallenge>', () => {
  const authentication = { id: 'auth_1', token: 'secret' }

  it('shows the bank’s step once there is one, and tells the newest callback how it ends', async () => {
    const [old, onSuccess, onInfo] = [vi.fn(), vi.fn(), vi.fn()]
    const ref = createRef<Canvas3ds>()
    await show(createElement(CardChallenge, { authentication: null, onSuccess: old }))
    expect(page.querySelector('button')).toBeNull()
    await show(createElement(CardChallenge, { authentication, onSuccess: old, onInfo, ref }))
    await show(
      createElement(CardChallenge, { authentication: { ...authentication }, onSuccess, onInfo, ref }),
    )
    expect(page.querySelectorAll('[data-testid=svc-bank-step]')).toHaveLength(1)
    page.querySelector('button')?.click()
    expect(onSuccess.mock.calls).toMatchObject([[{ authentication_id: 'auth_1', status: 'authenticated' }]])
    expect(onInfo.mock.calls).toMatchObject([[{ info: 'challenge' }]])
    expect([old.mock.calls.length, typeof ref.current?.cancel]).toEqual([0, 'function'])
    await show(null)
    expect([ref.current, page.innerHTML]).toEqual([null, ''])
  })
})
