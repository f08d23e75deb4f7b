import { describe, expect, it, vi } from 'vitest'
import { BANK_RETURNED } from '../../contract/page/authentication-setup.ts'
import { bankWindowIn, isBankAddress, openStep, whenReturned, withWindowSize } from './bank-frame.ts'

describe('the window of a bank’s page', () => {
  it.each([
    [
      { width: 532, height: 700, fills: false },
      { size: '03', width: 500, height: 600 },
    ],
    [
      { width: 532, height: 560, fills: false },
      { size: '02', width: 390, height: 560 },
    ],
    [
      { width: 389, height: 700, fills: false },
      { size: '01', width: null, height: 600 },
    ],
    [
      { width: 240, height: 300, fills: false },
      { size: '01', width: null, height: 400 },
    ],
    [
      { width: 390, height: 700, fills: true },
      { size: '05', width: null, height: null },
    ],
  ])('in a room of %j is %j', (room, expected) => {
    expect(bankWindowIn(room)).toMatchObject(expected)
  })

  it('is told to the bank in its message, which is left alone if it is none', () => {
    const creq = btoa('{"messageType":"CReq","challengeWindowSize":"01"}').replace(/=+$/, '')
    expect(JSON.parse(atob(withWindowSize(creq, '05')))).toEqual({
      messageType: 'CReq',
      challengeWindowSize: '05',
    })
    for (const other of ['', '%%%', btoa('null'), btoa('7')]) expect(withWindowSize(other, '05')).toBe(other)
  })
})

it.each([
  ['https://acs.bank.example/challenge', true, true],
  ['http://acs.bank.example/challenge', false, false],
  ['http://localhost:8060/3ds', true, false],
  ['http://localhost.evil.example/3ds', false, false],
  ['javascript:alert(1)', false, false],
  ['data:text/html,x', false, false],
  ['no address', false, false],
])('%s is an address of a bank: in the sandbox %s, elsewhere %s', (address, inSandbox, elsewhere) => {
  expect([isBankAddress(address, true), isBankAddress(address, false)]).toEqual([inSandbox, elsewhere])
})

describe('a step', () => {
  const frame = document.createElement('iframe')
  frame.name = 'bank'
  const sent = () => {
    const forms: unknown[] = []
    vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
      forms.push([this.method, this.action, this.target, Object.fromEntries(new FormData(this))])
    })
    return forms
  }

  it('is sent as EMV has it, into the bank’s frame, and its form does not stay', () => {
    document.body.innerHTML = ''
    const forms = sent()
    openStep(document, frame, { kind: 'method', url: 'https://acs.example/m', data: 'd' }, '')
    openStep(document, frame, { kind: 'challenge', url: 'https://acs.example/c', creq: 'no json' }, '05')
    openStep(
      document,
      frame,
      { kind: 'redirect', url: 'https://acs.example/r', method: 'POST', fields: { submit: 'x' } },
      '05',
    )
    expect(forms).toEqual([
      ['post', 'https://acs.example/m', 'bank', { threeDSMethodData: 'd' }],
      ['post', 'https://acs.example/c', 'bank', { creq: 'no json' }],
      ['post', 'https://acs.example/r', 'bank', { submit: 'x' }],
    ])
    expect(document.querySelector('form')).toBeNull()
    vi.restoreAllMocks()
  })

  it('by address alone keeps what is in the address', () => {
    const fields = { id: '7&8' }
    openStep(document, frame, { kind: 'redirect', url: 'https://a.example/r?x=1', method: 'GET', fields }, '')
    expect(frame.src).toBe('https://a.example/r?x=1&id=7%268')
  })
})

it('only the service’s own page in that very frame may say that the bank has sent the browser back', () => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const returned = vi.fn()
  const stop = whenReturned(window, frame, returned)
  const own = { source: frame.contentWindow, origin: location.origin, data: BANK_RETURNED }
  const say = (message: object) => window.dispatchEvent(new MessageEvent('message', { ...own, ...message }))
  say({ origin: 'https://acs.example' })
  say({ source: window })
  say({ data: { event: BANK_RETURNED } })
  expect(returned).not.toHaveBeenCalled()
  say({})
  expect(returned).toHaveBeenCalledOnce()
  stop()
  say({})
  expect(returned).toHaveBeenCalledOnce()
  frame.remove()
})
