import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AuthenticationSession } from '../../contract/api/charges/authentication.ts'
import { LANGUAGES } from '../../contract/page/widget-appearance.ts'
import type { Language } from '../../contract/page/widget-appearance.ts'
import { BANK_RETURNED } from '../../contract/page/authentication-setup.ts'
import type { Browser } from '../browser.ts'
import { FACTS } from '../testing/browser-facts.ts'
import { createTimers } from '../testing/timers.ts'
import { readAuthenticationTranslation } from '../testing/translations.ts'
import { createPage, messagesDelivered, WELCOME } from '../testing/welcome.ts'
import { startAuthentication } from './start-authentication.tsx'

const ID = '6b01799184f819f4cecbe1b2'
const URL_OF_IT = `https://api.example/v1/authentications/${ID}`
const LANGUAGES_URL = 'https://cards.example/languages/authentication/'
const SESSION: AuthenticationSession = {
  id: ID,
  status: 'pending',
  step: { kind: 'challenge', url: 'https://acs.example/challenge', creq: 'e30' },
  step_number: 0,
  expires_at: '2026-11-27T12:15:00.000Z',
  succeeded: null,
  amount: 49.95,
  currency: 'AUD',
  card_scheme: 'visa',
  card_number_last4: '1011',
}
const METHOD = { kind: 'method', url: 'https://acs.example/method', data: 'e30' } as const
const PASSED = { ...SESSION, status: 'authenticated', step: null, succeeded: true } as const
const WAITING = { ...SESSION, step: null } as const

type Reply = Partial<AuthenticationSession> | number | 'dropped'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

/** The document in its page, welcomed, with a service that answers one after the other; the last answer is for all that follow. */
async function open(...replies: Reply[]) {
  const step = start(replies)
  await step.welcome()
  return step
}

function start(replies: Reply[]) {
  const content = document.createElement('div')
  document.body.replaceChildren(content)
  // jsdom would go to the bank.
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue(undefined)
  const page = createPage(window)
  const timers = createTimers()
  const requests: string[] = []
  const loads = new Map<Language, (response: Response) => void>()
  let isOnline = true
  const send: Browser['send'] = (url, init = {}) => {
    const { method = 'GET', body } = init
    const header = new Headers(init.headers).get('authorization')
    requests.push(
      [method, typeof body === 'string' ? body : '', header === 'Bearer secret' ? '' : 'no token']
        .join(' ')
        .trim(),
    )
    const language = languageOf(url)
    if (language !== undefined) return new Promise((done) => loads.set(language, done))
    if (url !== URL_OF_IT) throw new Error('nobody asks elsewhere')
    const given = replies.length > 1 ? replies.shift() : replies[0]
    return answerWith(given)
  }
  startAuthentication({
    frameWindow: window,
    content,
    setup: {
      authentication_url: URL_OF_IT,
      languages_url: LANGUAGES_URL,
      is_sandbox: false,
      language: readAuthenticationTranslation('en'),
    },
    elapsed: () => 0,
    wait: () => Promise.resolve(),
    after: timers.after,
    random: () => 0.5,
    send,
    createKey: () => 'key',
    online: () => isOnline,
    facts: () => FACTS,
    warn: () => undefined,
  })
  ended.push(() => page.close())
  let bankDocument: Document | null = document
  return {
    welcome: async () => {
      page.say({ ...WELCOME, token: 'secret' })
      await messagesDelivered()
      const frame = document.querySelector('#bank')
      if (frame !== null) Object.defineProperty(frame, 'contentDocument', { get: () => bankDocument })
    },
    content,
    requests,
    chooseLanguage: async (language: Language) => {
      page.command({ command: 'set', settings: { language } })
      await messagesDelivered()
    },
    languageComes: async (code: Language) => {
      loads.get(code)?.(new Response(JSON.stringify(readAuthenticationTranslation(code).words)))
      await messagesDelivered()
    },
    timers,
    page,
    said: (): string[] => page.events.map(({ event }) => event),
    text: () => content.textContent,
    press: async (name: string) => {
      const button = [...content.querySelectorAll('button')].find(({ textContent }) => textContent === name)
      if (button === undefined) throw new Error(`There is no button ${name}.`)
      button.click()
      await messagesDelivered()
    },
    bankReturns: async (frame = 'svc-bank') => {
      const source = document.querySelector<HTMLIFrameElement>(`[name=${frame}]`)?.contentWindow ?? null
      window.dispatchEvent(
        new MessageEvent('message', { source, origin: location.origin, data: BANK_RETURNED }),
      )
      await messagesDelivered()
    },
    /** A page of another origin, of which nothing may be read. */
    bankAnswers: () => {
      bankDocument = null
      timers.passed(100)
    },
    goOffline: () => (isOnline = false),
  }
}

function answerWith(given: Reply | undefined): Promise<Response> {
  if (given === 'dropped') return Promise.reject(new TypeError('Failed to fetch'))
  const status = typeof given === 'number' ? given : 200
  const data = typeof given === 'object' ? { ...SESSION, ...given } : null
  const code = status === 404 ? 'not_found' : 'of_a_later_release'
  const error = status === 200 ? null : { code, message: 'm' }
  const answer = { status, error, resource: { type: 'authentication', data } }
  return Promise.resolve(new Response(JSON.stringify(answer), { status }))
}
const languageOf = (url: unknown) => LANGUAGES.find((code) => url === `${LANGUAGES_URL}${code}.json`)
const bank = () => document.querySelector<HTMLElement>('.bank')

describe('the step of a bank', () => {
  it('is shown with what is paid, and after it the service is asked how it ended', async () => {
    const step = await open({}, {}, PASSED)
    expect(step.text()).toContain('A$49.95 · Visa ending in 1011')
    // In Arabic what follows would take its currency away.
    expect(step.content.querySelector('.paid bdi')?.textContent).toBe('A$49.95')
    expect(bank()?.hidden).toBe(false)
    await step.bankReturns()
    expect(bank()?.hidden).toBe(true)
    step.timers.passed(1500)
    await messagesDelivered()
    const look = 'POST {"kind":"look","step_number":0}'
    expect(step.requests).toEqual(['GET', look, look])
    expect(step.text()).toContain('Your bank has confirmed this payment.')
    expect(step.said().at(-1)).toBe('chargeAuthSuccess')
  })

  it('lets the bank look at the browser first, for ten seconds at most', async () => {
    const step = await open({ step: METHOD }, { step_number: 1 })
    expect(document.querySelector<HTMLIFrameElement>('[name=svc-method]')?.hidden).toBe(true)
    step.timers.passed(10_000)
    await messagesDelivered()
    expect(step.requests).toContain('POST {"kind":"method","step_number":0,"completed":false}')
    expect([document.querySelector('[name=svc-method]'), bank()?.hidden]).toEqual([null, false])
  })

  it('goes on at once where the bank’s hidden page says that it is done', async () => {
    const step = await open({ step: METHOD }, { step_number: 1 })
    await step.bankReturns('svc-method')
    expect(step.requests).toEqual(['GET', 'POST {"kind":"method","step_number":0,"completed":true}'])
  })

  it.each([
    [{ ...PASSED, status: 'failed', succeeded: false }, 'chargeAuthReject', 'could not confirm'],
    [{ ...PASSED, status: 'timed_out', succeeded: false }, 'chargeAuthReject', 'The time to confirm'],
    [{ ...PASSED, status: 'authenticated', succeeded: false }, 'chargeAuthReject', 'nothing was charged'],
    [{ ...PASSED, status: 'cancelled', succeeded: false }, 'chargeAuthCancelled', 'You have cancelled'],
  ] as const)('tells %j as %s, in words', async (session, event, words) => {
    const step = await open(session)
    expect(step.said()).toContain(event)
    expect(step.text()).toContain(words)
    expect(step.content.querySelector('#cancel')).toBeNull()
  })

  it('is given up only after a question, and until the service has heard it', async () => {
    const step = await open({}, 'dropped', { ...PASSED, status: 'cancelled', succeeded: false })
    await step.press('Cancel payment')
    expect(step.text()).toContain('Cancel this payment?')
    await step.press('Continue with the bank')
    expect(bank()?.hidden).toBe(false)
    await step.press('Cancel payment')
    await step.press('Yes, cancel payment')
    expect(step.content.querySelector('#cancel')).toBeNull()
    step.timers.passed(2000)
    await messagesDelivered()
    expect(step.requests).toEqual(['GET', 'DELETE', 'DELETE'])
    expect(step.text()).toContain('You have cancelled this payment.')
  })

  it('says so without a network, and tells again what nobody has heard', async () => {
    const step = await open({ step: METHOD }, 'dropped', WAITING)
    step.goOffline()
    await step.bankReturns('svc-method')
    expect(step.text()).toContain('You are offline.')
    step.timers.passed(2000)
    await messagesDelivered()
    const told = 'POST {"kind":"method","step_number":0,"completed":true}'
    expect(step.requests.slice(1)).toEqual([told, told])
    expect(step.text()).not.toContain('You are offline.')
  })

  it.each(['before its failure', 'after it'])(
    'tells that the hidden step has ended, also if the network comes back %s',
    async (when) => {
      const step = await open({ step: METHOD }, 'dropped', { step: METHOD }, WAITING)
      const back = () => window.dispatchEvent(new Event('online'))
      const ends = step.bankReturns('svc-method')
      if (when === 'before its failure') back()
      await ends
      if (when === 'after it') back()
      await messagesDelivered()
      step.timers.passed(4000)
      await messagesDelivered()
      const told = 'POST {"kind":"method","step_number":0,"completed":true}'
      expect(step.requests.slice(0, 3)).toEqual(['GET', told, told])
    },
  )

  it('that is given up shows no other page of the bank', async () => {
    const step = await open({}, { step_number: 1 }, { ...PASSED, status: 'cancelled', succeeded: false })
    await step.press('Cancel payment')
    await step.press('Yes, cancel payment')
    expect(bank()?.hidden).toBe(true)
    step.timers.passed(4000)
    await messagesDelivered()
    expect(step.requests).toEqual(['GET', 'DELETE', 'DELETE'])
  })

  it('says within twelve seconds that a bank is slow, and what to do where it shows nothing', async () => {
    const step = await open({})
    const spinner = () => bank()?.querySelector('.spinner')
    step.timers.passed(8000)
    expect(step.text()).toContain('This is taking longer than usual.')
    expect(spinner()).not.toBeNull()
    step.timers.passed(12_000)
    expect(step.text()).toContain('Is there nothing to see here?')
    step.bankAnswers()
    expect(step.text()).not.toContain('Is there nothing to see here?')
    expect(spinner()).toBeNull()
    step.timers.passed(12_000)
    expect(step.text()).toContain('Is there nothing to see here?')
    await step.press('Cancel payment')
    expect(step.text()).not.toContain('Is there nothing to see here?')
  })

  it('says what to do where the bank shows nothing even after the network was away', async () => {
    const step = await open({}, 'dropped', {})
    step.bankAnswers()
    step.goOffline()
    step.timers.passed(4000)
    await messagesDelivered()
    expect(step.text()).toContain('You are offline.')
    step.timers.passed(4000)
    await messagesDelivered()
    step.timers.passed(12_000)
    expect(step.text()).toContain('Is there nothing to see here?')
    expect(step.said().filter((event) => event === 'chargeAuthInfo')).toHaveLength(3)
  })

  it.each([
    [404, 'not_found'],
    [405, 'version_mismatch'],
  ])('ends in words where the service answers %i, and tells the page %s', async (status, code) => {
    const step = await open(status)
    expect(step.text()).toContain('can no longer be confirmed here')
    expect(step.page.events).toMatchObject([
      { event: 'afterLoad' },
      { event: 'systemError', error: { code, retryable: false } },
    ])
  })

  it('is shown by a page that stood still so long that it was given up', async () => {
    const step = start([{}])
    step.timers.passed(60_000)
    expect(step.text()).toContain('can no longer be confirmed here')
    await step.welcome()
    expect([bank()?.hidden, step.content.querySelector('#cancel')]).toEqual([false, expect.anything()])
  })

  it('has the padding that its page has not, and the bank’s window for what that leaves', async () => {
    history.replaceState(null, '', '?room=dialog')
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(function (this: HTMLElement) {
      return this.matches('.step') ? 468 : 500
    })
    vi.spyOn(window.screen, 'availHeight', 'get').mockReturnValue(1000)
    await open({})
    expect(document.documentElement.dataset['room']).toBe('dialog')
    expect(document.querySelector<HTMLElement>('#bank')?.style.width).toBe('390px')
    expect(document.documentElement.style.getPropertyValue('--window-width')).toBe('390px')
    history.replaceState(null, '', location.pathname)
  })

  it('is in the language that its page has chosen last, whichever comes first', async () => {
    const step = await open({})
    await step.chooseLanguage('fr')
    await step.chooseLanguage('ar')
    await step.languageComes('ar')
    await step.languageComes('fr')
    const { lang, dir } = document.documentElement
    expect([lang, dir, document.title]).toEqual([
      'ar',
      'rtl',
      readAuthenticationTranslation('ar').words['title'],
    ])
    await step.chooseLanguage('en')
    expect([document.documentElement.dir, document.title]).toEqual(['ltr', 'Confirm with your bank'])
  })

  it('opens no address that is no bank’s', async () => {
    const submit = vi.spyOn(HTMLFormElement.prototype, 'submit')
    const step = await open({ step: { kind: 'challenge', url: 'javascript:alert(1)', creq: 'e30' } })
    expect(submit).not.toHaveBeenCalled()
    expect(step.page.events).toContainEqual(expect.objectContaining({ event: 'systemError' }))
  })
})
